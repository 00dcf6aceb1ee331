import { limitFaultsTurnExactlyTheirSet } from './testing/faults-turn.js';

limitFaultsTurnExactlyTheirSet('windows');
