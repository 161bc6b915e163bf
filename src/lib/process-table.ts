import { neededHostModule } from './host-modules.ts';

/** The processes of a machine. */
export interface ProcessTable {
  readonly ownId: number;
  isRunning(id: number): boolean;
}

/** The processes of this machine. */
export function processTable(): ProcessTable {
  const { pid, kill } = neededHostModule('node:process');
  return {
    ownId: pid,
    isRunning(id) {
      try {
        // The signal 0 is not sent: it asks whether there is such a process.
        kill(id, 0);
        return true;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'EPERM';
      }
    },
  };
}
