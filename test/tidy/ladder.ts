import { type Problem, problemAt, type SourceFile } from './source-file.ts';

/**
 * The import ladder of ARCHITECTURE.md, from the ground up: a room, and the rooms below it that it may use. A room
 * names only rooms that stand above it in this list, so no circle of rooms is possible. Types count like values: a file
 * that cannot be read without an upper room's types is not below it.
 */
const LADDER: Readonly<Record<string, readonly string[]>> = {
  'src/lib': [],
  'src/api': ['src/lib'],
  'src/memory': ['src/lib'],
  'src/report': ['src/lib'],
  'src/config': ['src/lib', 'src/api'],
  'src/manifests': ['src/lib', 'src/api'],
  'src/cel': ['src/lib', 'src/api'],

  // The left wing, the data plane, knows neither a store nor a cluster.
  'src/kernels': ['src/lib', 'src/memory'],
  'src/framework': ['src/lib', 'src/api', 'src/config'],
  'src/pool': ['src/lib', 'src/memory', 'src/kernels'],
  'src/plugins': ['src/lib', 'src/api', 'src/cel', 'src/config', 'src/framework'],
  'src/engine': [
    ...['src/lib', 'src/api', 'src/config', 'src/memory'],
    ...['src/kernels', 'src/framework', 'src/pool', 'src/plugins'],
  ],
  'src/caller': ['src/lib', 'src/api', 'src/config', 'src/framework', 'src/plugins', 'src/engine'],
  'src/core': [
    ...['src/lib', 'src/api', 'src/config', 'src/manifests', 'src/kernels'],
    ...['src/framework', 'src/pool', 'src/plugins', 'src/engine', 'src/caller'],
  ],

  // The right wing, the control plane, decides nothing.
  'src/store': ['src/lib', 'src/api'],
  'src/client': ['src/lib', 'src/api', 'src/store'],
  'src/kinds': ['src/lib', 'src/api', 'src/cel', 'src/store'],
  'src/apiserver': ['src/lib', 'src/api', 'src/store', 'src/kinds'],
  'src/remote': ['src/lib', 'src/api', 'src/store', 'src/client'],
  'src/recording': ['src/lib', 'src/api', 'src/manifests', 'src/store'],
  'src/controllers': ['src/lib', 'src/api', 'src/store', 'src/client'],
  'src/kubelet': ['src/lib', 'src/api', 'src/store', 'src/client'],

  // What workloads would make, for those who have no cluster.
  'src/expansion': ['src/lib', 'src/api', 'src/config', 'src/manifests', 'src/controllers'],

  // The scheduler joins the wings; the roof above it runs clusters and benchmarks.
  'src/scheduler': [
    ...['src/lib', 'src/api', 'src/config', 'src/framework', 'src/plugins', 'src/core'],
    ...['src/store', 'src/client'],
  ],
  'src/cluster': [
    ...['src/lib', 'src/api', 'src/config', 'src/framework', 'src/caller', 'src/core'],
    ...['src/store', 'src/client', 'src/controllers', 'src/kubelet', 'src/scheduler'],
  ],
  'src/live': [
    ...['src/lib', 'src/api', 'src/config', 'src/store', 'src/client', 'src/remote', 'src/recording', 'src/scheduler'],
  ],
  'src/benchmark': [
    ...['src/lib', 'src/api', 'src/config', 'src/manifests'],
    ...['src/framework', 'src/pool', 'src/plugins', 'src/engine', 'src/caller', 'src/core'],
  ],
  'src/perf': [
    ...['src/lib', 'src/api', 'src/config', 'src/manifests', 'src/framework', 'src/caller', 'src/core'],
    ...['src/plugins', 'src/store', 'src/client', 'src/controllers', 'src/scheduler', 'src/benchmark'],
  ],
  'src/simulation': [
    ...['src/lib', 'src/api', 'src/config', 'src/manifests', 'src/framework', 'src/engine', 'src/core'],
    ...['src/store', 'src/client', 'src/recording', 'src/kubelet', 'src/scheduler', 'src/cluster', 'src/benchmark'],
  ],
  'src/sweep': [
    ...['src/lib', 'src/api', 'src/config', 'src/manifests'],
    ...['src/framework', 'src/engine', 'src/caller', 'src/core', 'src/expansion', 'src/benchmark', 'src/simulation'],
  ],
  'src/what-if': [
    ...['src/lib', 'src/api', 'src/config', 'src/manifests', 'src/caller', 'src/core', 'src/store', 'src/controllers'],
    ...['src/expansion', 'src/cluster', 'src/simulation'],
  ],
  'src/serving': [
    ...['src/lib', 'src/api', 'src/core', 'src/store', 'src/kinds', 'src/apiserver', 'src/kubelet', 'src/scheduler'],
    ...['src/cluster', 'src/simulation'],
  ],
  'src/cli': [
    ...['src/lib', 'src/api', 'src/config', 'src/manifests', 'src/framework', 'src/engine', 'src/caller', 'src/core'],
    ...['src/expansion', 'src/cluster', 'src/benchmark', 'src/perf', 'src/sweep', 'src/simulation', 'src/kinds'],
    ...['src/serving', 'src/what-if', 'src/remote', 'src/live', 'src/report', 'src/memory'],
  ],

  // Helpers for an embedder's own plugins and tests.
  'src/embedding': ['src/lib', 'src/api', 'src/config', 'src/framework', 'src/caller', 'src/core'],

  // The front doors, one for each entry of package.json: lists of names, which nobody inside goes through.
  'src/index.ts': [
    ...['src/lib', 'src/api', 'src/config', 'src/kernels', 'src/framework', 'src/pool', 'src/plugins'],
    ...['src/engine', 'src/caller', 'src/core', 'src/scheduler'],
  ],
  'src/index-cel.ts': ['src/lib', 'src/api', 'src/cel', 'src/plugins'],
  'src/index-cluster.ts': [
    'src/caller',
    ...['src/lib', 'src/api', 'src/manifests', 'src/framework', 'src/engine', 'src/core', 'src/store', 'src/client'],
    ...[
      'src/controllers',
      'src/kubelet',
      'src/scheduler',
      'src/cluster',
      'src/benchmark',
      'src/simulation',
      'src/index.ts',
    ],
  ],
  'src/index-apiserver.ts': ['src/serving', 'src/index-cluster.ts'],
  'src/index-plugins.ts': ['src/framework', 'src/embedding', 'src/index.ts'],
  'src/index-testing.ts': ['src/embedding', 'src/index.ts'],
  'src/index-browser.ts': ['src/kernels', 'src/index.ts'],

  // The kernels know nothing outside themselves.
  assembly: [],
};

/** Folders that may import anything, and that no other folder imports. */
const OUTSIDE = ['test', 'bench', 'examples'];

export function checkLadder(files: readonly SourceFile[]): Problem[] {
  return files.filter((file) => !OUTSIDE.includes(roomOf(file.path))).flatMap(checkFile);
}

/** Rooms that may use one that does not stand above them in the list. */
export function unorderedRooms(): string[] {
  const rooms = Object.keys(LADDER);
  return rooms.filter((room, i) => LADDER[room]?.some((below) => !rooms.slice(0, i).includes(below)));
}

function checkFile(file: SourceFile): Problem[] {
  const room = roomOf(file.path);
  const below = LADDER[room];
  if (below === undefined) {
    const message = `${room} is not on the ladder: move the file to a room, or give the room its floor in ladder.ts`;
    return [{ path: file.path, line: 0, message }];
  }
  return file.imports.flatMap((mention) => {
    const target = mention.target === undefined ? mention.specifier : roomOf(mention.target);
    if (mention.target === undefined && room !== 'assembly') return [];
    if (target === room || below.includes(target)) return [];
    const allowed = below.length === 0 ? 'nothing outside itself' : `only ${below.join(', ')}`;
    const message = `${mention.specifier} is not below ${room}, which may import ${allowed}`;
    return [problemAt(file, mention.offset, `${message}: move what is needed down, or take it through an interface`)];
  });
}

/** `src/core/plugins/fit.ts` is in `src/core`, `test/x/y.ts` in `test`; a front door is a room of its own. */
export function roomOf(path: string): string {
  const [top = '', second] = path.split('/');
  return top === 'src' && second !== undefined ? `${top}/${second}` : top;
}
