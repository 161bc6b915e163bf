import type { Clock } from '../../src/lib/clock.ts';
import type { EventLoop } from '../../src/lib/event-loop.ts';
import { PODS, podText } from './cases.ts';
import { bodyOf, Connection, load, putBytes, requestBytes, type Target } from './connection.ts';
import { residentBytes, type ServerProcess, startServer } from './processes.ts';

export interface ScheduledSizes {
  readonly nodes: number;
  readonly scheduledPods: number;
  readonly connections: number;
}

export interface ScheduledFigures {
  /** Creates a second while each pod is scheduled in the same process. */
  readonly createsPerSecond: number;
  /** Milliseconds of the first list of all pods, as the scheduler has left them, and of the next. */
  readonly listMillis: readonly [number, number];
  readonly residentBytes: number;
  /** Resident bytes of the bare handler, which holds the same bytes. */
  readonly floorBytes: number;
}

const STEP_MILLIS = 100;

/** Creates pods in a cluster with nodes and a scheduler, until all of them are bound; then lists them. */
export async function scheduledFigures(
  { clock, loop }: { readonly clock: Clock; readonly loop: EventLoop },
  { nodes, scheduledPods: pods, connections }: ScheduledSizes,
): Promise<ScheduledFigures> {
  const server = await startServer('api', { nodes });
  const { target } = server;
  const requestOf = (index: number) => requestBytes(target, 'POST', PODS, podText(`pod-${index}`));
  const createsPerSecond = await load(target, clock, requestOf, { connections, requests: pods });
  const client = await Connection.open(target);
  while (await hasWaiting(client, target)) {
    await new Promise<void>((resolve) => loop.after(STEP_MILLIS, resolve));
  }
  const list = async (): Promise<number> => {
    const startMillis = clock.nowMillis();
    bodyOf(await client.send(requestBytes(target, 'GET', PODS)));
    return clock.nowMillis() - startMillis;
  };
  const listMillis = [await list(), await list()] as const;
  const one = bodyOf(await client.send(requestBytes(target, 'GET', `${PODS}/pod-0`)));
  client.close();
  const bytes = await residentBytes(server);
  server.child.kill();
  const floorBytes = await bytesOfFloor(one, pods);
  return { createsPerSecond, listMillis, residentBytes: bytes, floorBytes };
}

/** Whether a pod has no node yet. */
async function hasWaiting(client: Connection, target: Target): Promise<boolean> {
  const path = `${PODS}?fieldSelector=spec.nodeName%3D&limit=1`;
  const list = JSON.parse(bodyOf(await client.send(requestBytes(target, 'GET', path))).toString()) as {
    readonly items: readonly unknown[];
  };
  return list.items.length > 0;
}

async function bytesOfFloor(one: Buffer, pods: number): Promise<number> {
  const floor: ServerProcess = await startServer('floor');
  const paths = Array.from({ length: pods }, (_, i) => `/${i}`);
  await putBytes(floor.target, paths, one);
  const bytes = await residentBytes(floor);
  floor.child.kill();
  return bytes;
}
