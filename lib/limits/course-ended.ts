/**
 * The run can't go on: the target is lost, the key refused, the budget spent, or a wait is asked for that no run can
 * afford.
 */
export class CourseEnded extends Error {
  override readonly name = 'CourseEnded';
}
