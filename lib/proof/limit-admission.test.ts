import { limitFaultsTurnExactlyTheirSet } from './testing/faults-turn.js';

limitFaultsTurnExactlyTheirSet('admission');
