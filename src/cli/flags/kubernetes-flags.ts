import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseQuantity } from '../../api/quantity.ts';
import { numberOption } from './options.ts';

/** The flags of a sweep that runs as a Job of Kubernetes. */
export interface KubernetesFlags {
  readonly on?: 'kubernetes';
  readonly image?: string;
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly parallelism?: number;
  readonly requests?: Readonly<Record<string, string>>;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly backoffLimitPerIndex?: number;
}

/** The flags that need `--on kubernetes`. */
export const KUBERNETES_FLAGS: readonly string[] = [
  ...['image', 'namespace', 'context', 'kubeconfig', 'parallelism', 'requests', 'node-selector'],
  'backoff-limit-per-index',
];

const PARALLELISM_MAX = 100_000;
const BACKOFF_MAX = 1000;

export function addKubernetesOptions(command: Command): Command {
  return command
    .addOption(new Option('--on <cluster>', 'run the --shards as an Indexed Job there').choices(['kubernetes']))
    .option('--image <name>', 'the image of its pods, in which berth is the entry point')
    .option('-n, --namespace <name>', 'where the Job is made (default: that of the context)')
    .option('--kubeconfig <file>', 'the cluster (default: as kubectl finds it)')
    .option('--context <name>', 'a context of the kubeconfig')
    .addOption(numberOption('parallelism', 'pods at a time (default: one for each shard)', 1, PARALLELISM_MAX))
    .addOption(
      new Option('--requests <amounts>', 'what a pod requests (default: cpu=1,memory=1Gi)').argParser(quantities),
    )
    .addOption(new Option('--node-selector <labels>', 'where pods may run, as key=value,key=value').argParser(pairs))
    .addOption(
      numberOption('backoff-limit-per-index', 'how often a shard is tried again (default: 3)', 0, BACKOFF_MAX),
    );
}

/** Reads `a=1,b=2`. */
function pairs(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(',').map((part) => {
      const [, name, value] = /^([^=]+)=([^=]*)$/.exec(part.trim()) ?? [];
      if (name === undefined || value === undefined) throw new InvalidArgumentError('Expected key=value,key=value.');
      return [name, value];
    }),
  );
}

function quantities(text: string): Readonly<Record<string, string>> {
  const amounts = pairs(text);
  for (const [name, amount] of Object.entries(amounts)) {
    try {
      parseQuantity(amount);
    } catch {
      throw new InvalidArgumentError(`${name}: "${amount}" is not a quantity.`);
    }
  }
  return amounts;
}
