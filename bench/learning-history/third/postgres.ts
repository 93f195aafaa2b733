// Where the programs of the PostgreSQL server are.
import { readdirSync } from 'node:fs'

const versions = '/usr/lib/postgresql'

export const postgres = `${versions}/${readdirSync(versions).sort().at(-1)}/bin`
