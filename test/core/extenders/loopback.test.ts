import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { Scheduler } from '../../../src/index.ts';
import { HttpPoster } from '../../../src/lib/http-poster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { configured } from '../configured.ts';

const MAX_ANSWER_BYTES = 4096;
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    listener(request, response);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** One pod, two nodes, and an extender that behaves like this. */
async function decide(listener: RequestListener, ignorable: boolean) {
  const urlPrefix = await serve(listener);
  const verbs = { filterVerb: 'filter', prioritizeVerb: 'prioritize', weight: 1, nodeCacheCapable: true };
  const extenders = [{ urlPrefix, ...verbs, httpTimeout: '1s', ignorable }];
  const extenderTransport = new HttpPoster({ maxAnswerBytes: MAX_ANSWER_BYTES });
  using scheduler = new Scheduler({ configuration: configured({ extenders }), extenderTransport });
  for (const name of ['a', 'b']) scheduler.addNode(makeNode(name));
  const result = await scheduler.scheduleAsync(makePod('p'));
  extenderTransport.close();
  return { result, url: `${urlPrefix}/filter` };
}

const answers =
  (text: string): RequestListener =>
  (_, response) =>
    void response.end(text);

describe('an extender on a wire', () => {
  test.each<[string, RequestListener, (url: string) => string]>([
    [
      'too slow',
      () => {},
      (url) => `Post "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    ],
    [
      'refusing',
      (_, response) => void response.writeHead(503).end(),
      (url) => `failed filter with extender at URL ${url}, code 503`,
    ],
    ['malformed', answers('<html>'), () => "invalid character '<' looking for beginning of value"],
    ['breaking off', answers('{"NodeNames":["a"'), () => 'unexpected EOF'],
    ['empty', answers(''), () => 'EOF'],
    [
      'oversized',
      answers(`{"Error":"${'x'.repeat(MAX_ANSWER_BYTES)}"}`),
      (url) => `Post "${url}": the answer is longer than 4096 bytes`,
    ],
    ['hanging up', (request) => void request.socket.destroy(), (url) => `Post "${url}": EOF`],
    [
      'of another mind about types',
      answers('{"NodeNames":{}}'),
      () => 'json: cannot unmarshal object into Go struct field ExtenderFilterResult.NodeNames of type []string',
    ],
  ])('%s: the attempt fails, unless the extender is ignorable', async (_, listener, messageOf) => {
    const { result, url } = await decide(listener, false);
    expect(result).toEqual({ status: 'error', message: messageOf(url) });
    expect((await decide(listener, true)).result).toMatchObject({ status: 'scheduled', feasibleNodes: 2 });
  });

  test('when only prioritize fails, the other scores decide', async () => {
    const listener: RequestListener = (request, response) => {
      if (request.url === '/filter') response.end('{"NodeNames":["b","a"]}');
      else request.socket.destroy();
    };
    expect((await decide(listener, false)).result).toMatchObject({ status: 'scheduled', node: 'a', feasibleNodes: 2 });
  });
});

describe('preemption', () => {
  const attempt = async (answer: unknown, ignorable: boolean) => {
    const urlPrefix = await serve(answers(JSON.stringify({ NodeNameToMetaVictims: answer })));
    const extenders = [{ urlPrefix, preemptVerb: 'preempt', ignorable }];
    const extenderTransport = new HttpPoster();
    using scheduler = new Scheduler({ configuration: configured({ extenders }), extenderTransport });
    scheduler.addNode(makeNode('a', { cpu: 1 }));
    const low = makePod('low', { requests: { cpu: 1 }, nodeName: 'a', spec: { priority: 0 } });
    scheduler.addPod({ ...low, metadata: { ...low.metadata, uid: 'u' } });
    const result = await scheduler.scheduleAsync(makePod('high', { requests: { cpu: 1 }, spec: { priority: 1 } }));
    return { result, urlPrefix };
  };
  const head = '0/1 nodes are available: 1 Insufficient cpu. preemption: ';

  test('the extender leaves a candidate', async () => {
    const { result } = await attempt({ a: { Pods: [{ UID: 'u' }], NumPDBViolations: 0 } }, false);
    expect(result).toMatchObject({ nominatedNode: 'a', victims: ['default/low'] });
  });

  test.each<[string, object, (url: string) => string]>([
    ['no such node', { x: { Pods: [] } }, () => 'nodeinfo not found for node name "x"'],
    ['no victim', { a: { Pods: [] } }, () => 'expected at least one victim pod on node "a"'],
    [
      'no such pod',
      { a: { Pods: [{ UID: 'v' }] } },
      (url) => `extender: ${url} claims to preempt pod (UID: &{v}) on node: a, but the pod is not found on that node`,
    ],
  ])('%s', async (_, answer, messageOf) => {
    const { result, urlPrefix } = await attempt(answer, false);
    expect(result).toEqual({ status: 'unschedulable', message: `${head}${messageOf(urlPrefix)}` });
  });

  test('an ignorable one that makes no sense is ignored; one that names no victim is believed', async () => {
    expect((await attempt({ x: { Pods: [] } }, true)).result).toMatchObject({ nominatedNode: 'a' });
    expect((await attempt({ a: { Pods: [] } }, true)).result).toEqual({
      status: 'unschedulable',
      message:
        '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, ' +
        'preemption: no candidate node for preemption',
    });
  });
});
