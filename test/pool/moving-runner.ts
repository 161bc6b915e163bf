import type { Program } from '../../src/kernels/program.ts';
import type { ColumnTable } from '../../src/memory/column-table.ts';
import { InlineRunner, type InlineRunnerModules } from '../../src/pool/inline-runner.ts';

/** Alone, but as if a thread had gone missing in every step: what programs write has to move. */
export class MovingRunner extends InlineRunner {
  readonly #table: ColumnTable;

  constructor(modules: InlineRunnerModules & { readonly table: ColumnTable }) {
    super(modules);
    this.#table = modules.table;
  }

  override run(program: Program, to: number, from = 0): void {
    program.moveAway(this.#table);
    super.run(program, to, from);
  }
}
