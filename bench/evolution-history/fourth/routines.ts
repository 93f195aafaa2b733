import type { Routine } from '../plan.ts'
import { firmware, hosts, photoImport } from './routines-fixed.ts'
import { bugfix, grading, newsletter } from './routines-judged.ts'

export const routines: Routine[] = [newsletter, grading, firmware, hosts, photoImport, bugfix]
