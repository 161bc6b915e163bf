import { type Problem, problemAt, type SourceFile } from './source-file.ts';

/**
 * The import ladder of ARCHITECTURE.md: a room, and the rooms below it that it may use. Types count like values: a file
 * that cannot be read without an upper room's types is not below it. Nobody imports a room on the same floor.
 */
const LADDER: Readonly<Record<string, readonly string[]>> = {
  // Left wing, the data plane: neither a store nor a cluster.
  'src/lib': [],
  'src/api': ['src/lib'],
  'src/memory': ['src/lib', 'src/api'],
  'src/kernels': ['src/lib', 'src/api', 'src/memory'],
  'src/pool': ['src/lib', 'src/api', 'src/memory', 'src/kernels'],
  'src/core': ['src/lib', 'src/api', 'src/memory', 'src/kernels', 'src/pool'],

  // Right wing, the control plane: decides nothing.
  'src/store': ['src/lib', 'src/api'],
  'src/client': ['src/lib', 'src/api', 'src/store'],
  'src/controllers': ['src/lib', 'src/api', 'src/store', 'src/client'],
  'src/kubelet': ['src/lib', 'src/api', 'src/store', 'src/client'],

  // The roof. The scheduler joins the wings; what is under the core and the client it reaches through them.
  'src/scheduler': ['src/lib', 'src/api', 'src/store', 'src/client', 'src/core'],
  'src/cluster': [
    ...['src/lib', 'src/api', 'src/memory', 'src/kernels', 'src/pool', 'src/core'],
    ...['src/store', 'src/client', 'src/controllers', 'src/kubelet', 'src/scheduler'],
  ],
  'src/cli': [
    ...['src/lib', 'src/api', 'src/memory', 'src/kernels', 'src/pool', 'src/core'],
    ...['src/store', 'src/client', 'src/controllers', 'src/kubelet', 'src/scheduler', 'src/cluster'],
  ],

  // The front door for embedders: a list of names, which nobody inside goes through.
  'src/index.ts': ['src/lib', 'src/api', 'src/core', 'src/scheduler'],

  // The kernels know nothing outside themselves.
  assembly: [],
};

/** May import anything, and nothing above imports them. */
const OUTSIDE = ['test', 'bench', 'examples'];

export function checkLadder(files: readonly SourceFile[]): Problem[] {
  return files.filter((file) => !OUTSIDE.includes(roomOf(file.path))).flatMap(checkFile);
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

/** `src/core/plugins/fit.ts` is in `src/core`, `test/x/y.ts` in `test`. */
function roomOf(path: string): string {
  const [top = '', second] = path.split('/');
  return top === 'src' && second !== undefined ? `${top}/${second}` : top;
}
