import { resolve } from 'node:path';
import type { CodeSplittingGroup, Plugin } from 'rolldown';

interface LibraryChunks extends Plugin {
  readonly groups: CodeSplittingGroup[];
}

/**
 * Puts all that an entry needs at once into one chunk, because each file that a program has to find and load costs an
 * import more than thousands of lines do. An entry has what those before it did not take; what an earlier one needs is
 * in its chunk or in one before it, so that chunks never import each other in a circle. The first chunk also has what
 * `command` needs at once of the library, so that it starts without the others. As browsers load it, too, none of that
 * may import a module of Node. Chunks also have the `small` files that are named for them: files that several parts
 * share, and that import nothing which the chunk has not.
 */
export function libraryChunks(
  entryOfChunk: Readonly<Record<string, string>>,
  command: string,
  small: Readonly<Record<string, readonly string[]>>,
  isLibrary: (id: string) => boolean,
): LibraryChunks {
  const chunkOf = new Map<string, string>();
  const chunks = Object.keys(entryOfChunk);
  return {
    name: 'library-chunks',
    groups: chunks.map((name) => ({ name, test: (id) => chunkOf.get(id) === name })),
    buildEnd() {
      const neededBy = (path: string): Set<string> => {
        const entry = resolve(path);
        const needed = new Set([entry]);
        for (const id of needed) for (const imported of this.getModuleInfo(id)?.importedIds ?? []) needed.add(imported);
        needed.delete(entry);
        return needed;
      };
      const [first = ''] = chunks;
      for (const [chunk, paths] of Object.entries(small)) for (const path of paths) chunkOf.set(resolve(path), chunk);
      for (const id of neededBy(command)) {
        if (!isLibrary(id)) continue;
        const ofNode = this.getModuleInfo(id)?.importedIds.find((imported) => imported.startsWith('node:'));
        if (ofNode !== undefined) throw new Error(`${id}, which ${command} needs at once, imports ${ofNode}`);
        chunkOf.set(id, first);
      }
      for (const [chunk, path] of Object.entries(entryOfChunk)) {
        for (const id of neededBy(path)) if (!chunkOf.has(id)) chunkOf.set(id, chunk);
      }
    },
  };
}
