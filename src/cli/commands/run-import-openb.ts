import { latePackage } from '../../lib/host-modules.ts';
import { readCsv } from '../../simulation/input/csv-table.ts';
import { openbCluster } from '../../simulation/input/openb.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** How the objects are printed. */
export type OpenbFormat = 'ndjson' | 'json' | 'yaml';

/** The number of objects written at once: enough to keep the pipe busy, and few enough to keep memory low. */
const OBJECTS_PER_WRITE = 500;

/** Prints the nodes and pods of both files. @throws CodedError */
export async function printOpenb(
  nodesFile: string,
  podsFile: string,
  format: OpenbFormat,
  terminal: Terminal,
): Promise<void> {
  const { nodes, pods } = openbCluster(
    await readCsv(nodesFile, terminal.files),
    await readCsv(podsFile, terminal.files),
  );
  await write([...nodes, ...pods], format, terminal);
  terminal.log(`${nodes.length} nodes, ${pods.length} pods`);
}

async function write(objects: readonly object[], format: OpenbFormat, terminal: Terminal): Promise<void> {
  if (format === 'json') {
    await terminal.print(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 2)}\n`);
    return;
  }
  const text =
    format === 'ndjson'
      ? (object: object) => `${JSON.stringify(object)}\n`
      : (object: object) => `---\n${latePackage('yaml').stringify(object, { aliasDuplicateObjects: false })}`;
  for (let start = 0; start < objects.length; start += OBJECTS_PER_WRITE) {
    await terminal.print(
      objects
        .slice(start, start + OBJECTS_PER_WRITE)
        .map(text)
        .join(''),
    );
  }
}
