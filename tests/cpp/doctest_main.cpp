// The main function of every doctest program. It fails also when no case ran, say because a filter matches
// none, and when a case has checked nothing: doctest itself is content with both.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>

namespace {

/// Counts what should not be; knows no reporter, so it works beside any.
class Judge : public doctest::IReporter {
 public:
    explicit Judge(const doctest::ContextOptions&) {}

    static bool& content() {
        static bool value = false;
        return value;
    }

    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override { content() = true; }
    void test_run_end(const doctest::TestRunStats& stats) override {
        if (stats.numTestCasesPassingFilters == 0) blame("no test case", "was run");
    }
    void test_case_start(const doctest::TestCaseData& data) override { name_ = data.m_name; }
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
        if (stats.numAssertsCurrentTest == 0) blame(name_, "checks nothing");
    }
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
    static void blame(const char* who, const char* what) {
        std::fprintf(stderr, "%s %s\n", who, what);
        content() = false;
    }

    const char* name_ = "";
};

REGISTER_LISTENER("judge", 1, Judge);

}  // namespace

int main(int count, char** arguments) {
    doctest::Context context(count, arguments);
    const int status = context.run();
    if (context.shouldExit()) return status;  // it was asked for a list or for help
    return status == 0 && Judge::content() ? EXIT_SUCCESS : EXIT_FAILURE;
}
