import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lineOf, type Problem, ROOT } from './source-file.ts';

/** A text for people, in Markdown. */
export interface Document {
  /** The path from the project's root. */
  readonly path: string;
  readonly text: string;
}

const FOLDERS = ['bench', 'docs', 'examples', 'packages', 'test', '.github'];

/** Every Markdown file that people write. */
export function readDocuments(root = ROOT): Document[] {
  const atRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
  const below = FOLDERS.filter((folder) => existsSync(root + folder)).flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const paths = [...atRoot, ...below.filter((path) => path.endsWith('.md'))].map((path) => path.replaceAll('\\', '/'));
  return paths.sort().map((path) => ({ path, text: readFileSync(root + path, 'utf8') }));
}

/** Code in backticks, or a block of it between fences. */
const CODE = /^```[^\n]*\n([\s\S]*?)^```|`([^`\n]+)`/gm;
/** What begins like one of the project's folders, up to a blank or a bracket. */
const PATH = /(?<![\w./-])(?:src|test|bench|assembly|docs|examples)\/(?:\{[^{}\s]*\}|[^\s(){}'",;:])*/g;
/** The end of a path, such as `engine.ts` or `cycle/engine.ts`. */
const FILE_NAME = /(?<![\w./<>-])[a-z][\w-]*(?:\/[\w-]+)*(?:\.[\w-]+)*\.ts(?![\w/])/g;
/** Kernels have names like paths: `assembly/score/normalize/addWeighted`. */
const KERNEL = /^assembly\/.+\/[a-z]+[A-Z]\w*$/;
const LINK = /\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g;
const HEADING = /^#+ (.*)$/gm;
const SCHEME = /^[a-z]+:/;

/** Documents name files and folders that are there: in code, and as targets of links. */
export function checkNamedPaths(
  documents: readonly Document[],
  exists: (path: string) => boolean = isThere,
): Problem[] {
  return documents.flatMap((document) => [
    ...namedInCode(document, exists),
    ...unknownFiles(document, exists),
    ...linked(document, documents, exists),
  ]);
}

function namedInCode({ path, text }: Document, exists: (path: string) => boolean): Problem[] {
  return [...text.matchAll(CODE)].flatMap((code) =>
    [...code[0].matchAll(PATH)].flatMap((match) => {
      const named = match[0].replace(/[`.\]]+$/, '');
      if (KERNEL.test(named) || alternatives(named).every(exists)) return [];
      return [{ path, line: lineOf(text, code.index + match.index), message: `${named} is not there` }];
    }),
  );
}

function unknownFiles({ path, text }: Document, exists: (path: string) => boolean): Problem[] {
  return [...text.matchAll(CODE)].flatMap((code) =>
    [...code[0].matchAll(FILE_NAME)].flatMap((match) => {
      const isWhole = match[0].search(PATH) === 0;
      if (isWhole || exists(`**/${match[0]}`)) return [];
      const message = `no file is called ${match[0]}`;
      return [{ path, line: lineOf(text, code.index + match.index), message }];
    }),
  );
}

function linked(
  { path, text }: Document,
  documents: readonly Document[],
  exists: (path: string) => boolean,
): Problem[] {
  return [...text.matchAll(LINK)].flatMap((match) => {
    const [, target = '', anchor] = match;
    if (SCHEME.test(target)) return [];
    const line = lineOf(text, match.index);
    const file = target === '' ? path : join(dirname(path), target).replaceAll('\\', '/');
    if (target !== '' && !exists(file)) return [{ path, line, message: `the link to ${target} leads nowhere` }];
    const linkedTo = documents.find((document) => document.path === file);
    if (anchor === undefined || linkedTo === undefined || anchorsOf(linkedTo.text).includes(anchor)) return [];
    return [{ path, line, message: `${file} has no heading #${anchor}` }];
  });
}

/** The anchors that GitHub makes of headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(HEADING)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** `a/{b,c}.ts` are two paths; of `a/<name>/b` only the folder before the placeholder can be looked at. */
function alternatives(named: string): string[] {
  const open = /\{([^{}]*)\}/.exec(named);
  if (open !== null) {
    return (open[1] ?? '').split(',').flatMap((part) => alternatives(named.replace(open[0], part)));
  }
  const placeholder = named.search(/[^/]*<|[^/]*…/);
  return [placeholder < 0 ? named : named.slice(0, placeholder)];
}

/** Every file and folder of the project, with a slash before it. */
const FILE_NAMES = ['src', 'test', 'bench', 'assembly', 'examples'].flatMap((folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => `/${folder}/${name.replaceAll('\\', '/')}`,
  ),
);

/** Whether the path exists; a pattern with `*` exists when something matches. */
function isThere(path: string): boolean {
  if (path.startsWith('**')) {
    return FILE_NAMES.some((name) => name.endsWith(path.slice(2))) || existsSync(ROOT + path.slice('**/'.length));
  }
  const star = path.indexOf('*');
  if (star < 0) return existsSync(ROOT + path);
  const folder = path.slice(0, path.lastIndexOf('/', star));
  const pattern = path.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const matcher = new RegExp(`^${pattern.join('[^/]*')}$`);
  const names = existsSync(ROOT + folder) ? readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' }) : [];
  return names.some((name) => matcher.test(`${folder}/${name.replaceAll('\\', '/')}`));
}
