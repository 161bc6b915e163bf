/** The part of the WebAssembly JavaScript API that Berth uses; Node's own types leave it out. */
declare namespace WebAssembly {
  interface MemoryDescriptor {
    initial: number;
    maximum: number;
    shared: boolean;
  }

  class Memory {
    constructor(descriptor: MemoryDescriptor);
    readonly buffer: SharedArrayBuffer;
    /** Returns the previous size; both in pages of 64 KiB. Throws RangeError when the memory cannot grow. */
    grow(deltaPages: number): number;
  }

  interface ExportDescriptor {
    readonly name: string;
    readonly kind: 'function' | 'global' | 'memory' | 'table';
  }

  interface ImportDescriptor extends ExportDescriptor {
    readonly module: string;
  }

  class Module {
    constructor(bytes: Uint8Array);
    static exports(module: Module): ExportDescriptor[];
    static imports(module: Module): ImportDescriptor[];
  }

  /** A module and what it imports do not fit. */
  class LinkError extends Error {}

  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: Record<string, unknown>;
  }
}
