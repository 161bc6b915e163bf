import { readFileSync } from 'node:fs';
import { calendarTime } from '../../lib/calendar-time.ts';

/** What results say about their origin. */
export interface Provenance {
  readonly berth: string;
  /** The commit of a clone; null in an installed package. */
  readonly commit: string | null;
  readonly command: string;
  readonly time: string;
}

// The path has the same steps up from src/cli/terminal and, in the bundle, from dist/cli.
const ROOTS = ['../../package.json', '../../../package.json'];

export function packageVersion(): string {
  for (const path of ROOTS) {
    const text = textOf(new URL(path, import.meta.url));
    const { name, version } = (text === null ? {} : JSON.parse(text)) as { name?: string; version?: string };
    if (name?.startsWith('kube-berth') && version !== undefined) return version;
  }
  return 'unknown';
}

export function provenance(argv: readonly string[]): Provenance {
  const words = ['berth', ...argv].map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)));
  return { berth: packageVersion(), commit: commit(), command: words.join(' '), time: calendarTime() };
}

/** The commit that is checked out; also in a worktree, whose `.git` is a file that names its folder. */
export function commit(): string | null {
  for (const path of ROOTS) {
    const git = new URL(path.replace('package.json', '.git'), import.meta.url);
    const link = textOf(git)?.match(/^gitdir: (.+)$/m)?.[1];
    const folder = link === undefined ? `${git.pathname}/` : `${link}/`;
    const head = textOf(`${folder}HEAD`)?.trim();
    if (head === undefined) continue;
    const ref = /^ref: (.+)$/.exec(head)?.[1];
    if (ref === undefined) return head;
    const common = textOf(`${folder}commondir`)?.trim();
    const shared = common === undefined ? folder : `${folder}${common}/`;
    const packed = textOf(`${shared}packed-refs`)?.match(new RegExp(`^([0-9a-f]{40}) ${ref}$`, 'm'))?.[1];
    return textOf(`${shared}${ref}`)?.trim() ?? packed ?? null;
  }
  return null;
}

function textOf(path: string | URL): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
