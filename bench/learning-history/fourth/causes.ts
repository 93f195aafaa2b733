// The kinds of projects of the fourth, by cause.
import type { CauseKey } from '../run.ts'
import type { DayMaker } from './day.ts'
import { mergeConflict } from './merge-conflict.ts'
import { missingDependency } from './missing-dependency.ts'
import { permissionDenied } from './permission-denied.ts'
import { portInUse } from './port-in-use.ts'
import { registryRefused } from './registry-refused.ts'
import { timeLimit } from './time-limit.ts'
import { truncatedArchive } from './truncated-archive.ts'
import { wrongConstant } from './wrong-constant.ts'

export const fourthCauses: Readonly<Record<CauseKey, readonly DayMaker[]>> = {
  missing_dependency: missingDependency,
  port_in_use: portInUse,
  merge_conflict: mergeConflict,
  registry_refused: registryRefused,
  permission_denied: permissionDenied,
  truncated_archive: truncatedArchive,
  wrong_constant: wrongConstant,
  time_limit: timeLimit,
}
