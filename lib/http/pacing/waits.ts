/** How long anybody waited, a time in which several did counted once. */
export class Waits {
  #waiting = 0;
  #since = 0;
  #milliseconds = 0;

  get milliseconds(): number {
    return this.#milliseconds;
  }

  begin(now: number): void {
    if (this.#waiting === 0) this.#since = now;
    this.#waiting += 1;
  }

  end(now: number): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#milliseconds += now - this.#since;
  }
}
