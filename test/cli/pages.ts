import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** A page of the documentation: README.md of a package, or one of docs/. */
export interface Page {
  /** The path from the project's root. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/**
 * A block between fences, with the remark that stands right before it, which readers of the page do not see:
 *
 *     <!-- tried as: COMMANDS -->   tests run these commands instead, which do the same with less input
 *     <!-- tried by: FILE -->       this file runs what the block shows
 */
export interface Block {
  readonly language: string;
  readonly text: string;
  readonly kind: 'commands' | 'output' | 'program' | 'data' | 'drawing';
  /** The title of the section, the file and the commands of the remarks. */
  readonly section: string;
  readonly triedBy: string | undefined;
  readonly triedAs: string | undefined;
}

const PROGRAMS = /^(?:npx|npm|kubectl|berth|sbatch|podman|echo|node) /;
const KINDS: Readonly<Record<string, Block['kind']>> = {
  ...{ js: 'program', ts: 'program', yaml: 'data', json: 'data', text: 'drawing' },
};
const SECTION_OR_BLOCK =
  /^#+ (?<section>[^\n]*)$|^(?:<!-- tried (?<how>as|by):\s(?<tried>.*?)-->\n)?```(?<tag>\w*)\n(?<text>.*?)^```$/gms;

/** Every page, README.md first. */
export function readPages(): Page[] {
  const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const first = ['README.md', 'packages/cli/README.md'];
  return [...first, ...below.map((name) => `docs/${name.replaceAll('\\', '/')}`).sort()].map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return { path, text, blocks: readBlocks(text) };
  });
}

export function readBlocks(page: string): Block[] {
  let section = '';
  return [...page.matchAll(SECTION_OR_BLOCK)].flatMap(({ groups = {} }) => {
    const { how, tried, tag: language = '', text } = groups;
    if (text === undefined) {
      section = groups['section'] ?? '';
      return [];
    }
    const isCommands = (language === '' || language === 'sh') && PROGRAMS.test(text);
    const kind = isCommands ? 'commands' : (KINDS[language] ?? 'output');
    const remark = tried?.trim();
    const [triedBy, triedAs] = [how === 'by' ? remark : undefined, how === 'as' ? remark : undefined];
    return [{ language, text, kind, section, triedBy, triedAs }];
  });
}

/** Commands and what they show: the output belongs to the nearest block of commands before it. */
export interface Sample {
  readonly block: Block;
  readonly shown: string | undefined;
}

export function samplesOf({ blocks }: Page): Sample[] {
  return blocks.flatMap((block, i) => {
    if (block.kind !== 'commands') return [];
    const next = blocks[i + 1];
    return [{ block, shown: next?.kind === 'output' && next.triedBy === undefined ? next.text : undefined }];
  });
}

/** The lines of a block of commands, with their continuations. */
export function commandLines(text: string): string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

/** The arguments of every call of berth in some commands. */
export function berthCalls(text: string): string[][] {
  return commandLines(text)
    .flatMap((line) => line.split(/\||&&|--wrap '|; /))
    .map((call) =>
      /^\s*(?:npx (?:kube-berth-cli|berth)|berth) (.*?)(?:'?\s+#.*|\s>.*|')?$/.exec(call)?.[1]?.trim().split(/ +/),
    )
    .filter((argv) => argv !== undefined);
}
