/** What esbuild's loader `binary` makes of a file. */
declare module '*.wasm' {
  const bytes: Uint8Array;
  export default bytes;
}
