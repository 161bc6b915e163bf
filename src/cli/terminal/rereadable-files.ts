import type { FileSource } from '../../manifests/file-source.ts';

/** More bytes than an array holds. */
const STDIN_MAX_BYTES = 2 ** 31 - 1;

/** The same files, of which standard input can be read more than once. */
export function rereadableFiles(files: FileSource): FileSource {
  let input: Promise<Uint8Array> | undefined;
  const stdin = (): Promise<Uint8Array> => {
    input ??= files.read('-', STDIN_MAX_BYTES);
    return input;
  };
  const { open } = files;
  return {
    read: (name, maxBytes) => (name === '-' ? stdin() : files.read(name, maxBytes)),
    ...(open !== undefined && {
      open: async (name) => (name === '-' ? { sizeBytes: null, chunks: chunksOf(await stdin()) } : open(name)),
    }),
  };
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
