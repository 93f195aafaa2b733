import Type, { type Static } from 'typebox'
import { FileListQuery, StoredFile } from '../../file/schema.ts'
import { Id, object, oneOf, pageOf } from '../../shape.ts'
import { type Command, listParams } from '../command.ts'
import { cloudFileKinds } from './names.ts'

export const CloudFile = object({ ...StoredFile.properties, kind: oneOf(cloudFileKinds) })
export type CloudFile = Static<typeof CloudFile>

const Path = Type.String({ minLength: 1, maxLength: 4_096, description: 'An absolute path of this device' })
const of = { file_id: Id }

export const cloudFileCommands = {
  cloud_file_list: {
    summary: 'List the files of the account in the cloud, the newest first; a page may hold fewer than limit.',
    params: listParams({ q: FileListQuery.properties.q, kind: Type.Optional(oneOf(cloudFileKinds, { default: 'own' })) }),
    result: pageOf(CloudFile),
  },
  cloud_file_add: {
    summary: 'Put a file of this device into the cloud.',
    params: object({ path: Path }),
    result: object({ file: CloudFile }),
  },
  cloud_file_save: {
    summary: 'Save a file of the cloud into a folder of this device, under a free name: nothing is overwritten.',
    params: object({ ...of, folder: Path }),
    result: object({ path: Path }),
  },
  cloud_file_remove: {
    summary: 'Remove a file from the cloud; what was saved of it stays.',
    params: object(of),
    result: object(of),
  },
} satisfies Record<string, Command>
