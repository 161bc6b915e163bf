import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { KubernetesObject } from '../api/meta.ts';
import type { ApiServer } from '../apiserver/api-server.ts';
import { kubeconfigText } from '../apiserver/kubeconfig.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { fileErrorReason } from '../lib/file-errors.ts';
import { makeFolders } from '../lib/make-folders.ts';
import type { PacedEventLoop } from '../lib/paced-event-loop.ts';
import type { KeptState } from './kept-state.ts';
import { writePrivateFile } from './private-file.ts';
import type { RecordFile } from './record-file.ts';
import { ServeError } from './serve-options.ts';

export interface ServedClusterParts {
  readonly cluster: Cluster;
  readonly loop: PacedEventLoop;
  /** Whether the caller steps the clock. */
  readonly isStepped: boolean;
  readonly server: ApiServer;
  readonly kept: KeptState;
  readonly record: RecordFile | undefined;
  readonly url: string;
  readonly token: string;
  /** The certificate that vouches for the server; undefined: plain HTTP. */
  readonly certPem: string | undefined;
}

/**
 * A cluster whose API is served to clients. `close`, or the end of the block of an `await using`, ends it.
 */
export class ServedCluster implements AsyncDisposable {
  /** The address of the API, such as `https://127.0.0.1:6443`. */
  readonly url: string;
  /** The token that clients send. */
  readonly token: string;
  /** The certificate that vouches for the server, in PEM; undefined: plain HTTP. */
  readonly certPem: string | undefined;
  /** The text of a kubeconfig by which clients find the server and are let in. */
  readonly kubeconfig: string;
  /** The cluster behind the API: its store, scheduler, agents, log and clock. */
  readonly cluster: Cluster;
  readonly #parts: ServedClusterParts;
  #temporaryFolder: string | undefined;
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor(parts: ServedClusterParts) {
    const { cluster, url, token, certPem } = parts;
    this.cluster = cluster;
    this.#parts = parts;
    this.url = url;
    this.token = token;
    this.certPem = certPem;
    this.kubeconfig = kubeconfigText({ server: url, certPem, token });
  }

  /**
   * Writes the kubeconfig to a file that only its owner may read, and returns the full path. Without a name it is a new
   * file, which is removed at the end.
   *
   * @throws ServeError `FileNotWritable`
   */
  writeKubeconfig(name?: string): string {
    const path = resolve(name ?? join(this.#temporary(), 'kubeconfig'));
    try {
      makeFolders(dirname(path));
      writePrivateFile(path, this.kubeconfig);
    } catch (error) {
      throw new ServeError('FileNotWritable', `${path}: ${fileErrorReason(error, 'written')}`);
    }
    return path;
  }

  /**
   * Creates an object as a client would, in the namespace that it names or in `default`.
   *
   * @throws StatusError as the API answers
   */
  create(object: KubernetesObject): Promise<void> {
    return this.#parts.server.create(object);
  }

  /**
   * Lets time pass on a stepped clock. Clients that watch hear of the changes a little later.
   *
   * @throws ServeError `RealTime` where time passes by itself
   */
  async step(millis: number): Promise<void> {
    if (!this.#parts.isStepped) {
      throw new ServeError('RealTime', 'this cluster is on real time, which passes by itself');
    }
    if (!(Number.isFinite(millis) && millis >= 0)) {
      throw new ServeError('Invalid', `a step of ${millis} ms: time passes by a finite number from 0 on`);
    }
    await this.#parts.loop.step(millis);
  }

  /** Stops the cluster and ends all connections. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const { cluster, loop, server, kept, record } = this.#parts;
    cluster.stop();
    loop.close();
    if (this.#temporaryFolder !== undefined) rmSync(this.#temporaryFolder, { recursive: true, force: true });
    await server.close();
    await record?.close();
    await kept.close(cluster.store.ledger, loop.nowMillis());
  }

  #temporary(): string {
    this.#temporaryFolder ??= mkdtempSync(join(tmpdir(), 'berth-'));
    return this.#temporaryFolder;
  }
}
