import { resolve } from 'node:path';
import type { CodeSplittingGroup, Plugin } from 'rolldown';

interface LibraryChunks extends Plugin {
  readonly groups: CodeSplittingGroup[];
}

/**
 * Puts all that an entry needs at once into one chunk, because each file that a program has to find and load costs an
 * import more than thousands of lines do. An entry has what those before it did not take; what an earlier one needs is
 * in its chunk or in one before it, so that chunks never import each other in a circle.
 */
export function libraryChunks(entryOfChunk: Readonly<Record<string, string>>): LibraryChunks {
  const chunkOf = new Map<string, string>();
  return {
    name: 'library-chunks',
    groups: Object.keys(entryOfChunk).map((name) => ({ name, test: (id) => chunkOf.get(id) === name })),
    buildEnd() {
      for (const [chunk, path] of Object.entries(entryOfChunk)) {
        const entry = resolve(path);
        const needed = new Set([entry]);
        for (const id of needed) {
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) needed.add(imported);
          if (id !== entry && !chunkOf.has(id)) chunkOf.set(id, chunk);
        }
      }
    },
  };
}
