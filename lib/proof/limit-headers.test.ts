import { limitFaultsTurnExactlyTheirSet } from './testing/faults-turn.js';

limitFaultsTurnExactlyTheirSet('headers');
