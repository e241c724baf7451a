# Looks into compiled objects: can code for a newer processor reach an older one? Run by ctest.
# Knows binutils only; which objects belong to which instruction set is said by the caller.
#
#   cmake -DNM=... -DOBJDUMP=... -DISA=v3 -DOBJECTS=a.o,b.o -P isa_objects.cmake
#
# ISA=baseline: no object may hold an AVX or BMI instruction (tzcnt is what bsf looks like).
# Any other ISA: every function that other objects can see must live in namespace wari::ISA. A weak
# one, such as an inline function of a header or of the standard library, could be the copy that the
# linker keeps for all, and fault on an older processor. Weak data ("V", "u") does no harm.
string(REPLACE "," ";" objects "${OBJECTS}")
if(NOT objects)
  message(FATAL_ERROR "no objects given for ${ISA}")
endif()
set(newer "\t(v[a-z]+[0-9a-z]*|andn|bextr|bls[ir]|blsmsk|bzhi|mulx|pdep|pext|rorx|s[ah][lr]x|lzcnt|movbe)[ \t]")

set(complaints "")
set(newer_seen FALSE)
foreach(object IN LISTS objects)
  execute_process(COMMAND "${OBJDUMP}" -d --no-show-raw-insn "${object}"
    OUTPUT_VARIABLE code ERROR_QUIET COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "[^\n]*${newer}[^\n]*" found "${code}")
  if(found)
    set(newer_seen TRUE)
  endif()
  if(ISA STREQUAL "baseline")
    if(found)
      string(APPEND complaints "${object}: not for every processor:${found}\n")
    endif()
    continue()
  endif()
  execute_process(COMMAND "${NM}" -C "${object}" OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" lines "${symbols}")
  foreach(line IN LISTS lines)
    if(line MATCHES " [TWi] (.*)$")
      set(symbol "${CMAKE_MATCH_1}")
      if(NOT symbol MATCHES "^wari::${ISA}::")
        string(APPEND complaints "${object}: others may link ${symbol}\n")
      endif()
    endif()
  endforeach()
endforeach()
if(NOT ISA STREQUAL "baseline" AND NOT newer_seen)
  string(APPEND complaints "no instruction newer than the baseline: was the ${ISA} flag lost?\n")
endif()
if(complaints)
  message(FATAL_ERROR "${complaints}")
endif()
