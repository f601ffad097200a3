# Write machine files as C data: cmake -DOUT=… -DFILES=a;b -P this.
# The program then needs no file beside it to know its machines.
set(rows "")
set(text "/* Made from lib/sim/machines by embed_machines.cmake. */\n")
string(APPEND text "#include \"machine_parse.h\"\n")
foreach(file IN LISTS FILES)
  cmake_path(GET file STEM name)
  string(MAKE_C_IDENTIFIER "machine_${name}" symbol)
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REPLACE "0x0a," "0x0a,\n" bytes "${bytes}") # a line a line
  string(APPEND text "static const unsigned char ${symbol}[] = {\n${bytes}};\n")
  string(APPEND rows "    {\"${name}\", ${symbol}, sizeof(${symbol})},\n")
endforeach()
string(APPEND text "const BuiltinMachine builtin_machines[] = {\n${rows}};\n")
string(APPEND text "const int n_builtin_machines =\n"
  "    (int)(sizeof(builtin_machines) / sizeof(*builtin_machines));\n")
file(WRITE "${OUT}" "${text}")
