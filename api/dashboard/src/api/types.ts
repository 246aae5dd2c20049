// Short names for the generated types. Nothing here is written by hand: see `npm run generate`.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Problem = Schemas["Problem"];
export type ProblemSummary = Schemas["ProblemSummary"];
export type TokenResponse = Schemas["TokenResponse"];
export type UserResponse = Schemas["UserResponse"];
export type OrganizationResponse = Schemas["OrganizationResponse"];
export type ProjectResponse = Schemas["ProjectResponse"];
export type RepositorySource = Schemas["RepositorySource"];
export type RepositoryResponse = Schemas["RepositoryResponse"];
export type SourceCheckResponse = Schemas["SourceCheckResponse"];
export type SnapshotSummary = Schemas["SnapshotSummary"];
export type BranchResponse = Schemas["BranchResponse"];
export type LedgerResponse = Schemas["LedgerResponse"];
export type LedgerSummary = Schemas["LedgerSummary"];
export type LedgerRow = Schemas["LedgerRow"];
export type IndexRunResponse = Schemas["IndexRunResponse"];
export type SearchRequest = Schemas["SearchRequest"];
export type SearchResponse = Schemas["SearchResponse"];
export type SearchHit = Schemas["SearchHit"];
export type SearchedBranch = Schemas["SearchedBranch"];
export type SearchSnippet = Schemas["SearchSnippet"];
export type ExactSearchRequest = Schemas["ExactSearchRequest"];
export type ExactSearchResponse = Schemas["ExactSearchResponse"];
export type ExactFile = Schemas["ExactFile"];
export type SymbolResponse = Schemas["SymbolResponse"];
export type TreeResponse = Schemas["TreeResponse"];
export type TreeEntry = Schemas["TreeEntry"];
export type FileResponse = Schemas["FileResponse"];
export type OutlineSymbol = Schemas["OutlineSymbol"];
export type StatusResponse = Schemas["StatusResponse"];
export type JobResponse = Schemas["JobResponse"];
