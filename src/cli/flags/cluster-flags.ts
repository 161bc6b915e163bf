import type { Command } from 'commander';
import { RealEventLoop } from '../../lib/event-loop.ts';
import { connect } from '../../live/connect.ts';
import type { ConnectionOptions, KubeConnection } from '../../remote/connection/kube-connection.ts';
import { loadKubeconfig } from '../../remote/connection/kubeconfig.ts';

/** The flags of commands that speak with a real cluster. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export function addClusterOptions(command: Command): Command {
  return command
    .option('--kubeconfig <file>', 'where the cluster is (default: $KUBECONFIG, ~/.kube/config, or the own pod)')
    .option('--context <name>', 'the context of the kubeconfig (default: its current one)');
}

/** A connection with the loop that it runs on. @throws CodedError */
export async function connectTo(
  { kubeconfig, context }: ClusterFlags,
  options: ConnectionOptions,
  onError: (error: unknown) => void,
): Promise<{ readonly connection: KubeConnection; readonly loop: RealEventLoop }> {
  const credentials = await loadKubeconfig({ kubeconfig, context });
  const loop = new RealEventLoop(onError);
  return { connection: await connect(credentials, loop, options), loop };
}
