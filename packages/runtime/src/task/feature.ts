import type { Feature } from '../feature/feature.ts'
import { type TaskCommandPorts, taskHandlers } from './commands.ts'

/** Tasks that the cloud holds for this device. They are taken only as their user has allowed it. */
export function openTaskFeature(ports: TaskCommandPorts): Feature {
  return { name: 'tasks', commands: taskHandlers(ports) }
}
