import type { Command } from 'commander';

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
