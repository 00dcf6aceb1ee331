/** 0: proved. 1: the evidence contradicts the run. 3: nothing contradicts it, but the evidence is not whole. */
export type VerificationCode = 0 | 1 | 3;

/** One thing that was checked, and the exit code that it asks for. */
export interface Remark {
  readonly mark: '✓' | '✗' | '!' | ' ';
  readonly text: string;
  readonly code: VerificationCode;
}

export const fine = (text: string): Remark => ({ mark: '✓', text, code: 0 });
export const note = (text: string): Remark => ({ mark: ' ', text, code: 0 });
export const attention = (text: string): Remark => ({ mark: '!', text, code: 0 });
export const contradicted = (text: string): Remark => ({ mark: '✗', text, code: 1 });
export const notWhole = (text: string): Remark => ({ mark: '!', text, code: 3 });
