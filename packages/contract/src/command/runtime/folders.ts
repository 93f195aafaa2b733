import Type, { type Static } from 'typebox'
import { Count, Flag, Line, listOf, nullable, object, oneOf, Timestamp } from '../../shape.ts'
import { type Command, listParams } from '../command.ts'
import { Folder } from './conversations.ts'
import { defaultFolderStates, folderStates } from './names.ts'

/** As a user types it: `~` is the home folder. */
const TypedFolder = Type.String({ minLength: 1, maxLength: 4_096, description: 'The absolute path of a folder; ~ is the home folder' })

/** A folder that conversations of this device work in. */
export const RecentFolder = object({ path: Folder, used_at: Timestamp, conversations: Count, state: oneOf(folderStates) })
export type RecentFolder = Static<typeof RecentFolder>

export const ListedFolder = object({
  name: Type.String({ minLength: 1, maxLength: 1_024 }),
  path: Folder,
  hidden: Flag,
  /** Where it leads, if it is a symbolic link. */
  link: nullable(Type.String({ maxLength: 4_096 })),
  state: oneOf(folderStates),
})
export type ListedFolder = Static<typeof ListedFolder>

/** What users need to choose the folder that a conversation works in. Never the contents of files. */
export const folderCommands = {
  workspace_recent: {
    summary:
      'List the folders that conversations of this device work in, last used first, and the one that a new conversation starts with.',
    params: object({}),
    result: object({
      items: listOf(RecentFolder, { maxItems: 50 }),
      /** `new`: it does not exist yet, and is created when the user confirms it. */
      default: object({ path: Folder, state: oneOf(defaultFolderStates) }),
      home: Folder,
    }),
  },
  workspace_browse: {
    summary: 'List the folders in a folder of this device, by name. Files are left out.',
    params: listParams({
      /** The home folder when absent. */
      path: Type.Optional(TypedFolder),
      /** Whether folders are listed whose names begin with a dot. */
      hidden: Type.Optional(Flag),
      /** Only folders whose names begin with this, in upper or lower case. */
      starts_with: Type.Optional(Type.String({ maxLength: 255 })),
    }),
    result: object({
      path: Folder,
      /** Null for the root. */
      parent: nullable(Folder),
      items: listOf(ListedFolder),
      next_cursor: nullable(Type.String()),
      /** Folders that are left out because their names begin with a dot. */
      hidden_folders: Count,
      /** The folder has more entries than are read. */
      truncated: Flag,
    }),
  },
  workspace_check: {
    summary: 'Check whether conversations can work in a folder, and show its full path.',
    params: object({ workspace: TypedFolder }),
    result: object({ workspace: Folder }),
  },
  workspace_make_folder: {
    summary: 'Create a new, empty folder for conversations. The folder that contains it must exist.',
    params: object({ workspace: TypedFolder }),
    result: object({ workspace: Folder, name: Line }),
  },
} satisfies Record<string, Command>
