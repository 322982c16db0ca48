-- The queries of imports use these. `types` are the types of elements, in anybody's spelling: f16, bf16, and `other` for
-- the rest.
CREATE TABLE types (word TEXT PRIMARY KEY COLLATE NOCASE, element TEXT);
INSERT INTO types
SELECT value, 'f16' FROM json_each('["f16", "fp16", "half", "__half", "float16", "torch.float16"]')
UNION ALL
SELECT value, 'bf16' FROM json_each('["bf16", "bfloat16", "__nv_bfloat16", "nv_bfloat16", "torch.bfloat16"]')
UNION ALL
SELECT value, 'other' FROM json_each('["f32", "fp32", "float", "float32", "torch.float32", "tf32", "f64", "double", "float64",
    "i8", "s8", "u8", "int8", "uint8", "fp8", "f8", "e4m3", "e5m2", "fe4m3", "fe5m2", "i32", "s32", "int32", "int4", "s4", "fp4",
    "e2m1"]');

-- The faults of fields as times.
CREATE TEMP VIEW times_of AS
SELECT line, name, coalesce(fault, iif(number(text) > 0, NULL,
    printf('%g is no time, which is above 0; remove the row', number(text)))) AS fault
FROM numbers;

-- The same as types of elements. cutlass_profiler has ':' and the order of the elements behind the type.
CREATE TEMP VIEW elements AS
SELECT line, name, iif(
    asked.element IS (SELECT types.element FROM types
        WHERE word = iif(name = 'dtype', text, substr(text, 1, instr(text, ':') - 1))), NULL,
    printf('''%.40s'': this run is of %s: leave other rows out, or import with --element bf16 or f16', text, asked.element)) AS fault
FROM cells, asked WHERE text IS NOT NULL;
