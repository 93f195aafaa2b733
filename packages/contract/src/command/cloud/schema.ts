import type { Command } from '../command.ts'
import { accountCommands } from './account.ts'
import { deviceCommands } from './devices.ts'
import { cloudFileCommands } from './files.ts'
import { keyCommands } from './keys.ts'
import type { CloudCommandName } from './names.ts'
import { syncCommands } from './sync.ts'
import { taskCommands } from './tasks.ts'

export type { SignedInAccount } from './account.ts'
export type { ListedDevice } from './devices.ts'
export type { CloudFile } from './files.ts'
export type { QuarantinedChange, SyncStatus } from './sync.ts'
export type { ListedTask } from './tasks.ts'

export const cloudCommands = {
  ...accountCommands,
  ...keyCommands,
  ...syncCommands,
  ...deviceCommands,
  ...taskCommands,
  ...cloudFileCommands,
} satisfies Record<CloudCommandName, Command>
