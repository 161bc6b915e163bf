import type { Difference } from '../differences.ts';
import type { KubectlCase } from '../kubectl/kubectl-case.ts';
import { playSession } from '../kubectl/play-session.ts';
import type { ApiCase } from './api-case.ts';
import { Client } from './client.ts';
import { playScenario } from './play-scenario.ts';
import { startServer } from './start-server.ts';

/** A fresh API server, against which the scenarios of a file are played. */
export class ApiPlayer {
  readonly #server = startServer();

  async play(scenario: ApiCase): Promise<Difference[]> {
    const { port } = await this.#server;
    const client = new Client(port);
    try {
      return await playScenario(scenario, client, `127.0.0.1:${port}`);
    } finally {
      client.close();
    }
  }

  /** Sessions with kubectl share the server, as they shared the recorded one. */
  async playSession(session: KubectlCase): Promise<Difference[]> {
    const { port } = await this.#server;
    return playSession(session, port);
  }

  async close(): Promise<void> {
    await (await this.#server).close();
  }
}
