import { ApiServer } from '../../../src/apiserver/api-server.ts';
import { RealEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';

export interface StartedServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts an API server with nothing in it but what every cluster has. */
export async function startServer(): Promise<StartedServer> {
  const timers = new RealEventLoop((error) => {
    throw error;
  });
  const names = new RandomNames(new Prng(1));
  const { ledger } = new Store({ clock: timers, names });
  const server = new ApiServer({ ledger, clock: timers, timers, seed: 2 });
  const port = await server.listen('127.0.0.1', 0);
  return { port, close: () => server.close() };
}
