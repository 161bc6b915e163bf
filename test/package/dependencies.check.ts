import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { INSTALLED, INSTALLED_CLI, ROOT } from './place.ts';

interface SyntaxNode {
  readonly type?: string;
  readonly source?: SyntaxNode | null;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
  readonly arguments?: readonly SyntaxNode[];
}

/** The packages that `latePackage` loads. */
const LATE = [...readFileSync(`${ROOT}src/lib/host-modules.ts`, 'utf8').matchAll(/: typeof import\('([^']+)'\)/g)].map(
  ([, name = '']) => name,
);

/** What a file asks for: by an import, or late, of the library unless it says that it is the importer. */
function asked(code: string): { readonly imported: string[]; readonly late: string[]; readonly ownLate: string[] } {
  const [imported, late, ownLate]: string[][] = [[], [], []];
  const waiting: unknown[] = [parseAst(code)];
  for (const node of waiting as SyntaxNode[]) {
    if (typeof node !== 'object' || node === null) continue;
    const { type, source, arguments: given = [] } = node;
    if (source != null && /^(?:Import|Export)/.test(type ?? '')) imported?.push(textOf(source));
    const name = type === 'CallExpression' ? textOf(given[0]) : '';
    if (LATE.includes(name)) (given.length > 1 ? ownLate : late)?.push(name);
    waiting.push(...Object.values(node));
  }
  return { imported: imported ?? [], late: late ?? [], ownLate: ownLate ?? [] };
}

/** A string, or a template without places, as the minifier writes it. */
function textOf(node: SyntaxNode | undefined): string {
  if (typeof node?.value === 'string') return node.value;
  return node?.quasis?.length === 1 ? (node.quasis[0]?.value.cooked ?? '') : '';
}

const packageOf = (name: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;

function askedBy(folder: string): ReturnType<typeof asked> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const all = files.map((name) => asked(readFileSync(folder + name, 'utf8')));
  const names = (kind: keyof ReturnType<typeof asked>) => [
    ...new Set(
      all
        .flatMap((file) => file[kind])
        .filter((name) => /^[a-z@]/.test(name) && !isBuiltin(name))
        .map(packageOf),
    ),
  ];
  return { imported: names('imported'), late: names('late'), ownLate: names('ownLate') };
}

function dependenciesOf(folder: string): string[] {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'));
  return [...Object.keys(dependencies), ...Object.keys(peerDependencies)].sort();
}

/** In a clone everything is installed, so that nothing else notices what a package forgets to depend on. */
describe('packages depend on what they load, and on nothing else', () => {
  const library = askedBy(`${INSTALLED}dist/lib/`);
  const cli = askedBy(`${INSTALLED_CLI}dist/cli/`);

  it('kube-berth', () => {
    const used = [...library.imported, ...library.late, ...library.ownLate, ...cli.late];
    expect([...new Set(used)].sort()).toEqual(dependenciesOf(INSTALLED));
    // Only the launcher imports a package; nothing that an embedder imports does.
    expect(library.imported).toEqual(['kube-berth-cli']);
  });

  it('kube-berth-cli', () => {
    expect([...new Set([...cli.imported, ...cli.ownLate])].sort()).toEqual(dependenciesOf(INSTALLED_CLI));
  });
});
