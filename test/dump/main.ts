/**
 * `npm run -s make:dump -- [--nodes N] [--pods N] [--seed N] [--format json|yaml]`: prints a dump as `kubectl get -A -o
 * json|yaml` prints that of a live cluster, for measurements of how long reading takes.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { jsonList, yamlList } from './kubectl-text.ts';
import { liveObjects } from './live-objects.ts';

const CHUNK_CHARS = 4 * 2 ** 20;

async function main(): Promise<void> {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const options = { nodes: text('5000'), pods: text('100000'), seed: text('1'), format: text('json') };
  const { values } = parseArgs({ options });
  const objects = liveObjects({ nodes: Number(values.nodes), pods: Number(values.pods), seed: Number(values.seed) });
  let chunk = '';
  for (const piece of values.format === 'yaml' ? yamlList(objects) : jsonList(objects)) {
    chunk += piece;
    if (chunk.length < CHUNK_CHARS) continue;
    if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
    chunk = '';
  }
  process.stdout.write(chunk);
}

await main();
