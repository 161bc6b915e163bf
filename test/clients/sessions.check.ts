import { afterAll, expect, it } from 'vitest';
import { ApiPlayer } from '../parity/api/check-api.ts';
import { isKubectlCase, type KubectlCase } from '../parity/kubectl/kubectl-case.ts';
import { readCases } from '../parity/read-cases.ts';

/** Recorded sessions of kubectl; `npm run test:kubectl` plays all of them. */
const RECORDED = new URL('../../../shared/api/kubectl.ndjson.gz', import.meta.url).pathname;

const player = new ApiPlayer();
afterAll(() => player.close());

it.each(firstOfEachTopic())('kubectl says what it said to kube-apiserver: $name', async (session) => {
  expect(await player.playSession(session)).toEqual([]);
});

/** One session for each topic: names are `p-kubectl-NUMBER-TOPIC`. */
function firstOfEachTopic(): KubectlCase[] {
  const first = new Map<string, KubectlCase>();
  for (const session of readCases(RECORDED).filter(isKubectlCase)) {
    const topic = session.name.split('-').slice(3).join('-');
    if (!first.has(topic)) first.set(topic, session);
  }
  return [...first.values()];
}
