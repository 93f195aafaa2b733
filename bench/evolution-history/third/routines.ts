import type { Routine } from '../plan.ts'
import { episode, invoice, onboarding } from './routines-fixed.ts'
import { incident, literature, migration } from './routines-judged.ts'

export const routines: Routine[] = [onboarding, incident, invoice, literature, episode, migration]
