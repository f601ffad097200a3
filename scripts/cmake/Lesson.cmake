# add_lesson(): a lesson's programs, its probes, and its ctest entries.
# scripts/workbook/README.md says what the files of a lesson look like.
include_guard()

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
# The interpreter itself: a version manager's shim would cost every test its
# start. Isolated, without site packages: nothing here needs them.
if(NOT WORKBOOK_PYTHON)
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -c "import sys; print(sys.executable)"
    OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  set(WORKBOOK_PYTHON "${python}" CACHE FILEPATH "Runs the runner and judge")
endif()

# The flags a student's one file is compiled with. Warnings are shown, not
# fatal, but for those that are mistakes in every case.
set(WORKBOOK_STUDENT_FLAGS -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g
    -ffp-contract=off -fno-omit-frame-pointer -Wall -Wextra
    -Wstrict-prototypes -Werror=implicit-function-declaration
    -Werror=incompatible-pointer-types -Werror=int-conversion
    -Werror=return-type -fdiagnostics-color=never)

set(WORKBOOK_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/..")
# What a probe is linked with, besides the student's file and workbook.
set(WORKBOOK_PROBE_LIBRARIES probe_sim probe probe_plain)

# add_lesson(PROGRAMS <names> EXERCISES <exK_slug names>)
#
# Called from lessons/NN_name/CMakeLists.txt. A program is <name>.c here; an
# exercise is <exK_slug>.c here, which CMake does not build, with its probe
# tests/lessons/NN_name/exK.probe.c, which it does.
function(add_lesson)
  cmake_parse_arguments(arg "" "" "PROGRAMS;EXERCISES" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_PROGRAMS)
    message(FATAL_ERROR
      "add_lesson(PROGRAMS lesson … EXERCISES ex1_slug …) is how it is called; "
      "got: ${ARGN}")
  endif()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME name)
  if(NOT name MATCHES "^([0-9][0-9])_[a-z0-9_]+$")
    message(FATAL_ERROR "A lesson's folder is named NN_name, not ${name}")
  endif()
  set(number "${CMAKE_MATCH_1}")
  set(tests "${PROJECT_SOURCE_DIR}/tests/lessons/${name}")

  foreach(program IN LISTS arg_PROGRAMS)
    set(target "${name}.${program}")
    add_executable(${target} ${program}.c)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${program})
    target_link_libraries(${target} PRIVATE workbook workbook_flags)
  endforeach()
  foreach(exercise IN LISTS arg_EXERCISES)
    workbook_add_probe(${name} ${exercise} "${tests}")
  endforeach()
  workbook_write_lesson(${name} "${arg_PROGRAMS}" "${arg_EXERCISES}")
  workbook_add_runs(${name} ${number} "${tests}")
  workbook_add_exercises(${name} ${number} "${arg_EXERCISES}")
  workbook_add_words(${name} ${number} "${tests}")
endfunction()

# The probe's object, and, for editors alone (compile_commands.json), the
# student's file as a target that nobody builds.
function(workbook_add_probe lesson exercise tests)
  if(NOT exercise MATCHES "^(ex[0-9]+)_[a-z0-9_]+$")
    message(FATAL_ERROR
      "${lesson}: an exercise is named exK_slug, not ${exercise}")
  endif()
  set(key "${CMAKE_MATCH_1}")
  foreach(needed IN ITEMS "${tests}/${key}.probe.c" "${tests}/${key}.json")
    if(NOT EXISTS "${needed}")
      cmake_path(RELATIVE_PATH needed BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
      message(FATAL_ERROR "${lesson}: exercise ${exercise} needs ${needed}")
    endif()
  endforeach()
  add_library(${lesson}.${key}.probe OBJECT "${tests}/${key}.probe.c")
  target_link_libraries(${lesson}.${key}.probe PRIVATE
    ${WORKBOOK_PROBE_LIBRARIES} workbook_flags)
  if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${exercise}.c")
    add_library(${lesson}.${key} OBJECT EXCLUDE_FROM_ALL ${exercise}.c)
    target_compile_options(${lesson}.${key} PRIVATE ${WORKBOOK_STUDENT_FLAGS})
    target_link_libraries(${lesson}.${key} PRIVATE workbook)
  endif()
endfunction()

# lesson.json: everything the runner and the judge need to know of the build.
function(workbook_write_lesson lesson programs exercises)
  set(folders "$<TARGET_PROPERTY:workbook,INTERFACE_INCLUDE_DIRECTORIES>")
  set(defines "$<TARGET_PROPERTY:workbook,INTERFACE_COMPILE_DEFINITIONS>")
  set(sanitize "")
  if(WORKBOOK_SANITIZE)
    set(sanitize -fsanitize=${WORKBOOK_SANITIZE}
                 -fno-sanitize-recover=undefined)
  endif()
  set(compile ${WORKBOOK_STUDENT_FLAGS} ${sanitize})
  set(archives "")
  foreach(library IN LISTS WORKBOOK_PROBE_LIBRARIES)
    list(APPEND archives "$<TARGET_FILE:${library}>")
  endforeach()
  set(shared "$<TARGET_FILE:workbook>")
  if(TARGET cudasim)
    list(APPEND shared "$<TARGET_FILE:cudasim>")
  endif()
  set(watched ${archives} ${shared} "${PROJECT_SOURCE_DIR}/lib")
  if(WORKBOOK_BACKEND STREQUAL "cuda")
    if(NOT TARGET CUDA::cudart)
      find_package(CUDAToolkit 12 REQUIRED)
    endif()
    list(APPEND shared "$<TARGET_FILE:CUDA::cudart>"
                       "$<TARGET_FILE:CUDA::cublas>")
  endif()
  set(link ${sanitize} ${archives} ${shared} -lm)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux") # lib/lesson/guard.c
    list(APPEND link -Wl,--wrap=free -Wl,--wrap=realloc)
  endif()
  if(NOT sanitize AND WORKBOOK_LINKS_BY_GOLD)
    list(PREPEND link -fuse-ld=gold)
  endif()
  foreach(library IN LISTS shared)
    string(REGEX REPLACE "^(.*TARGET_FILE)" "\\1_DIR" folder "${library}")
    list(APPEND link "-Wl,-rpath,${folder}")
  endforeach()

  set(program_pairs "")
  foreach(program IN LISTS programs)
    list(APPEND program_pairs
      "\"${program}\": \"$<TARGET_FILE:${lesson}.${program}>\"")
  endforeach()
  set(probe_pairs "")
  foreach(exercise IN LISTS exercises)
    string(REGEX REPLACE "_.*" "" key "${exercise}")
    list(APPEND probe_pairs
      "\"${exercise}\": \"$<TARGET_OBJECTS:${lesson}.${key}.probe>\"")
  endforeach()
  foreach(words IN ITEMS compile link watched)
    list(TRANSFORM ${words} REPLACE "(.+)" "\"\\1\"")
    list(JOIN ${words} ", " ${words})
  endforeach()
  list(JOIN program_pairs ", " program_pairs)
  list(JOIN probe_pairs ", " probe_pairs)
  set(author false)
  if(WORKBOOK_AUTHOR)
    set(author true)
  endif()
  file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/lesson.json" CONTENT
"{
  \"name\": \"${lesson}\",
  \"root\": \"${PROJECT_SOURCE_DIR}\",
  \"build\": \"${PROJECT_BINARY_DIR}\",
  \"backend\": \"${WORKBOOK_BACKEND}\",
  \"author\": ${author},
  \"cc\": \"${CMAKE_C_COMPILER}\",
  \"compile\": [${compile}],
  \"include\": \"$<JOIN:${folders},|>\",
  \"define\": \"$<JOIN:${defines},|>\",
  \"link\": [${link}],
  \"watched\": [${watched}],
  \"programs\": {${program_pairs}},
  \"probes\": {${probe_pairs}}
}
")
endfunction()

# workbook_add_test(<name> <labels> <arguments of scripts/workbook>)
function(workbook_add_test name labels)
  add_test(NAME ${name} COMMAND "${WORKBOOK_PYTHON}" -IS
    "${WORKBOOK_SCRIPTS}/workbook" ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}"
    SKIP_RETURN_CODE 77 TIMEOUT 120)
endfunction()

# One test a line of the table `runs`.
function(workbook_add_runs lesson number tests)
  if(NOT EXISTS "${tests}/runs")
    message(FATAL_ERROR "${lesson}: tests/lessons/${lesson}/runs is missing: "
      "the table of the lesson's runs")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${tests}/runs")
  file(STRINGS "${tests}/runs" rows REGEX "^[^# ]")
  foreach(row IN LISTS rows)
    string(REGEX MATCH "^[^ \t]+" run "${row}")
    workbook_add_test(lesson.${lesson}.${run} "lesson;${number}"
      run "${CMAKE_CURRENT_BINARY_DIR}/lesson.json" ${run})
  endforeach()
endfunction()

function(workbook_add_exercises lesson number exercises)
  if(NOT exercises)
    return()
  endif()
  set(json "${CMAKE_CURRENT_BINARY_DIR}/lesson.json")
  set(before "")
  foreach(exercise IN LISTS exercises)
    set(test exercise.${lesson}.${exercise})
    workbook_add_test(${test} "exercise;${number}"
      exercise "${json}" ${exercise})
    list(APPEND before ${test})
  endforeach()
  workbook_add_test(exercises.${lesson} "exercise;${number}"
    exercises "${json}")
  set_tests_properties(exercises.${lesson} PROPERTIES DEPENDS "${before}")
  if(EXISTS "${PROJECT_SOURCE_DIR}/solutions/${lesson}")
    workbook_add_test(solution.${lesson} "solution;${number}"
      solution "${json}")
    set_tests_properties(solution.${lesson} PROPERTIES COST 3)
    if(WORKBOOK_AUTHOR)
      workbook_add_test(starter.${lesson} "solution;${number}"
        starter "${json}")
    endif()
  endif()
endfunction()

# What no program can show: what the compiler says to a mistake (a folder
# `mistakes`), and what only the chapter can say (a file `says`).
function(workbook_add_words lesson number tests)
  set(scripts "${PROJECT_SOURCE_DIR}/tests/lessons")
  if(EXISTS "${tests}/mistakes")
    add_test(NAME mistakes.${lesson} COMMAND "${WORKBOOK_PYTHON}" -IS
      "${scripts}/mistakes.py" "${CMAKE_C_COMPILER}" "${tests}/mistakes"
      "${PROJECT_SOURCE_DIR}/lib")
    set_tests_properties(mistakes.${lesson} PROPERTIES
      LABELS "lesson;${number}" TIMEOUT 60)
  endif()
  if(EXISTS "${tests}/says")
    add_test(NAME says.${lesson} COMMAND "${WORKBOOK_PYTHON}" -IS
      "${scripts}/chapter_says.py"
      "${PROJECT_SOURCE_DIR}/book/${lesson}.md" "${tests}/says")
    set_tests_properties(says.${lesson} PROPERTIES
      LABELS "book;${number}" TIMEOUT 60)
  endif()
endfunction()
