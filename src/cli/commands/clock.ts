import { Argument, Command } from 'commander';
import { CodedError } from '../../lib/errors.ts';
import { paceOf, SPEED_RULE } from '../flags/speed.ts';
import { KubeconfigClient } from '../terminal/kubeconfig-client.ts';
import type { Terminal } from '../terminal/terminal.ts';

const PATH = '/berth/clock';

const AFTER_HELP = `
Without an action it shows the time and the speed. "step 1h30m" moves the clock on, and waits until all that is due by
then has been done; "speed 1000" sets how many seconds pass in a second, also to max or paused; "pause" lets none pass.
The cluster is that of --kubeconfig, else of KUBECONFIG, else of .berth/kubeconfig.

Examples:
  berth clock step 1h30m
  berth clock speed 1000 --kubeconfig .berth/kubeconfig`;

interface ClockFlags {
  readonly kubeconfig?: string;
}

type Action = 'show' | 'step' | 'speed' | 'pause';

/** `berth clock`: the clock of a cluster that `berth serve` serves. */
export function clockCommand(terminal: Terminal): Command {
  return new Command('clock')
    .description('Shows and sets the clock of a cluster that berth serve serves.')
    .addArgument(new Argument('[action]', 'what is done').choices(['show', 'step', 'speed', 'pause']).default('show'))
    .addArgument(new Argument('[value]', 'the duration of a step, or the speed'))
    .option('--kubeconfig <file>', 'the file that berth serve wrote')
    .addHelpText('after', AFTER_HELP)
    .action(async (action: Action, value: string | undefined, flags: ClockFlags) => {
      const change = changeOf(action, value);
      const client = new KubeconfigClient(flags.kubeconfig ?? process.env['KUBECONFIG'] ?? '.berth/kubeconfig');
      const { time, speed } = await client.send(change === undefined ? 'GET' : 'POST', PATH, change);
      await terminal.print(`${time} ${typeof speed === 'number' ? `speed ${speed}` : speed}\n`);
    });
}

/** What is sent; undefined when the clock is only shown. @throws CodedError `InvalidArgument` */
function changeOf(action: Action, value: string | undefined): object | undefined {
  const isNeeded = action === 'step' || action === 'speed';
  if (isNeeded && value === undefined) throw refused(`clock ${action} needs a value`);
  if (!isNeeded && value !== undefined) throw refused(`clock ${action} takes no value`);
  if (action === 'show') return undefined;
  if (action === 'step') return { step: value };
  const speed = action === 'pause' ? 'paused' : paceOf(value as string);
  if (speed === undefined) throw refused(`clock speed ${value}: ${SPEED_RULE}`);
  return { speed };
}

function refused(message: string): CodedError<'InvalidArgument'> {
  return new CodedError('InvalidArgument', message);
}
