/** Values by pool. Drivers and pools are looked up one after the other, since a key of both would be made each time. */
export class PoolMap<T> {
  readonly #drivers = new Map<string, Map<string, T>>();

  get(driver: string, pool: string): T | undefined {
    return this.#drivers.get(driver)?.get(pool);
  }

  set(driver: string, pool: string, value: T): void {
    const pools = this.#drivers.get(driver);
    if (pools === undefined) this.#drivers.set(driver, new Map([[pool, value]]));
    else pools.set(pool, value);
  }

  delete(driver: string, pool: string): void {
    this.#drivers.get(driver)?.delete(pool);
  }

  clear(): void {
    this.#drivers.clear();
  }
}
