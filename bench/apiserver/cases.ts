import type { Clock } from '../../src/lib/clock.ts';
import { bodyOf, Connection, load, putBytes, requestBytes, type Target } from './connection.ts';

export interface Sizes {
  readonly connections: number;
  readonly requests: number;
  readonly pods: number;
}

export const PODS = '/api/v1/namespaces/default/pods';

/** A pod as a client sends it. */
export function podText(name: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { app: 'web', tier: 'front' } },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'registry.example.com/web:1.2.3',
          ports: [{ containerPort: 80 }],
          resources: { requests: { cpu: '100m', memory: '128Mi' } },
        },
      ],
    },
  });
}

/** A figure of the API, and that of a bare handler with the same bytes. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly api: number;
  readonly floor: number;
}

/** Creates, gets and a whole list, each on both servers. */
export async function requestFigures(api: Target, floor: Target, clock: Clock, sizes: Sizes): Promise<Figure[]> {
  const { connections, requests, pods } = sizes;
  const one = await Connection.open(api);
  const created = bodyOf(await one.send(requestBytes(api, 'POST', PODS, podText('first'))));
  await putBytes(floor, [PODS], created);
  const options = { connections, requests };
  const post = (target: Target, prefix: string) => (index: number) =>
    requestBytes(target, 'POST', PODS, podText(`${prefix}-${index}`));
  const creates = {
    floor: await load(floor, clock, post(floor, 'pod'), options),
    api: await load(api, clock, post(api, 'pod'), options),
  };
  const path = `${PODS}/first`;
  await putBytes(floor, [path], bodyOf(await one.send(requestBytes(api, 'GET', path))));
  const [apiGet, floorGet] = [requestBytes(api, 'GET', path), requestBytes(floor, 'GET', path)];
  const gets = {
    floor: await load(floor, clock, () => floorGet, options),
    api: await load(api, clock, () => apiGet, options),
  };
  await load(api, clock, post(api, 'more'), { connections, requests: Math.max(pods - requests - 1, 1) });
  const list = await timed(clock, () => one.send(requestBytes(api, 'GET', PODS)));
  await putBytes(floor, ['/list'], bodyOf(list.answer));
  const bare = await Connection.open(floor);
  const floorList = await timed(clock, () => bare.send(requestBytes(floor, 'GET', '/list')));
  one.close();
  bare.close();
  return [
    { name: 'creates of pods', unit: 'a second', ...creates },
    { name: 'gets of a pod', unit: 'a second', ...gets },
    { name: `list of ${pods} pods`, unit: 'ms', api: list.millis, floor: floorList.millis },
  ];
}

async function timed(clock: Clock, send: () => Promise<Buffer>): Promise<{ answer: Buffer; millis: number }> {
  const startMillis = clock.nowMillis();
  const answer = await send();
  return { answer, millis: clock.nowMillis() - startMillis };
}
