import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { berth, NODES, pod } from './run-berth.ts';

/** An extender that knows one node, and likes it. */
const server = createServer((request, response) => {
  request.resume();
  const answer = request.url === '/filter' ? { NodeNames: ['n1', 'n2'] } : [{ Host: 'n2', Score: 10 }];
  response.end(JSON.stringify(answer));
});
let config = '';

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const extender = {
    urlPrefix: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ...{ filterVerb: 'filter', prioritizeVerb: 'prioritize', weight: 3, nodeCacheCapable: true },
  };
  config = JSON.stringify({
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    extenders: [extender],
  });
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('berth schedule asks the extenders of the configuration, and explains what they said', async () => {
  const files = { 'c.yaml': NODES + pod('a', '1') + pod('b', '1'), 'config.json': config };
  const argv = ['schedule', '-f', 'c.yaml', '--config', 'config.json'];
  const { code, out, logged } = await berth([...argv, '-o', 'json', '--explain', 'b'], files);
  expect(logged.at(-1)).toMatch(/^2 of 2 pods placed/);
  expect(code).toBe(0);
  const { placements, explanation } = JSON.parse(out);
  expect(placements.map(({ node }: { node: string }) => node)).toEqual(['n2', 'n2']);
  const [, n2] = explanation.nodes;
  expect(n2.extenderScores).toEqual([{ extender: expect.stringMatching(/^http:\/\/127/), weighted: 300 }]);
  expect((await berth([...argv, '--explain', 'b'], files)).out).toMatch(
    /BALANCEDALLOCATION.*http:\/\/127\.\S+ +REJECTED BY/,
  );
});
