# cmake -DOUT=FILE.c -P embed.cmake: page.css, page.js and plot.gp as C strings, given by their bytes, since a
# string literal may be no longer than 4,095 characters.
file(WRITE ${OUT}.part "#include \"reports/page/assets.h\"\n")
foreach(name page.css page.js plot.gp)
  file(READ ${CMAKE_CURRENT_LIST_DIR}/${name} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REPLACE . _ symbol ${name})
  file(APPEND ${OUT}.part "\nconst char assets_${symbol}[] = {${bytes}0};\n")
endforeach()
file(RENAME ${OUT}.part ${OUT})
