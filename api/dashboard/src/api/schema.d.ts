// Generated from the OpenAPI document by `npm run generate`. Do not edit.

export interface paths {
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in with e-mail and password */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotates the refresh token and returns an access token */
        post: operations["refresh_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs out */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the signed-in user and their organizations */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists organizations */
        get: operations["list_organizations"];
        put?: never;
        /** Creates an organization */
        post: operations["create_organization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organization_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one organization */
        get: operations["get_organization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/organizations/{organization_id}/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the projects of an organization */
        get: operations["list_projects"];
        put?: never;
        /** Creates a project */
        post: operations["create_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one project */
        get: operations["get_project"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/repositories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the repositories of a project */
        get: operations["list_repositories"];
        put?: never;
        /** Adds a repository and queues its first index run */
        post: operations["create_repository"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/projects/{project_id}/repositories/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Checks that a source can be read and lists its branches */
        post: operations["check_source"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repositories/{repository_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one repository */
        get: operations["get_repository"];
        put?: never;
        post?: never;
        /** Deletes a repository and everything indexed from it */
        delete: operations["delete_repository"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repositories/{repository_id}/index": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Queues an index run */
        post: operations["create_index_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repositories/{repository_id}/branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the branches of a repository */
        get: operations["list_branches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/branches/{branch_id}/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the snapshots of a branch */
        get: operations["list_snapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/snapshots/{snapshot_id}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the ledger of a snapshot */
        get: operations["get_ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repositories/{repository_id}/index-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the index runs of a repository */
        get: operations["list_index_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/index-runs/{index_run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one index run */
        get: operations["get_index_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/index-runs/{index_run_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels an index run */
        post: operations["cancel_index_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/index-runs/{index_run_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retries an index run */
        post: operations["retry_index_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/index-runs/{index_run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams the progress of an index run */
        get: operations["stream_index_run_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Searches code */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search/exact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Finds every line that matches a text or a regular expression */
        post: operations["search_exact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Finds symbols by name */
        get: operations["list_symbols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repositories/{repository_id}/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists one level of the tree */
        get: operations["get_tree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/repositories/{repository_id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a file or some of its lines */
        get: operations["get_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the state of the server */
        get: operations["get_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists jobs */
        get: operations["list_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retries a job */
        post: operations["retry_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            type: string;
            title: string;
            /** Format: int64 */
            status: number;
            code: string;
            detail?: string | null;
            request_id?: string | null;
            errors?: components["schemas"]["ProblemField"][];
        };
        ProblemField: {
            pointer: string;
            detail: string;
        };
        ProblemSummary: {
            code: string;
            message: string;
        };
        LoginRequest: {
            email: string;
            password: string;
        };
        TokenResponse: {
            access_token: string;
            token_type: string;
            /** Format: int64 */
            expires_in: number;
            user: components["schemas"]["UserResponse"];
        };
        UserResponse: {
            /** Format: uuid */
            id: string;
            email: string;
            name: string;
            is_instance_administrator: boolean;
        };
        MeResponse: {
            user: components["schemas"]["UserResponse"];
            organizations: components["schemas"]["OrganizationResponse"][];
        };
        OrganizationResponse: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            /** @enum {string} */
            role: "owner" | "administrator" | "member";
            /** Format: date-time */
            created_at: string;
        };
        CreateOrganizationRequest: {
            name: string;
        };
        ProjectResponse: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organization_id: string;
            name: string;
            slug: string;
            /** Format: int64 */
            repositories: number;
            /** Format: date-time */
            created_at: string;
        };
        CreateProjectRequest: {
            name: string;
        };
        RepositorySourceResponse: {
            /** @enum {string} */
            kind: "git" | "local";
            url?: string | null;
            path?: string | null;
            has_credentials: boolean;
        };
        RepositoryResponse: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organization_id: string;
            /** Format: uuid */
            project_id: string;
            name: string;
            source: components["schemas"]["RepositorySourceResponse"];
            default_branch?: string | null;
            /** @enum {string} */
            state: "pending" | "indexing" | "ready" | "failed" | "empty";
            warning?: string | null;
            error?: null | components["schemas"]["ProblemSummary"];
            published?: null | components["schemas"]["SnapshotSummary"];
            latest_run?: null | components["schemas"]["IndexRunResponse"];
            /** Format: date-time */
            created_at: string;
        };
        SnapshotSummary: {
            /** Format: int64 */
            snapshot_id: number;
            commit: string;
            /** Format: date-time */
            committed_at?: string | null;
            /** Format: date-time */
            published_at?: string | null;
            /** Format: int64 */
            files_seen: number;
            /** Format: int64 */
            files_indexed: number;
            /** Format: int64 */
            files_skipped: number;
            /** Format: int64 */
            chunks: number;
            /** Format: int64 */
            bytes: number;
        };
        CreateRepositoryRequest: {
            name?: string | null;
            source: components["schemas"]["RepositorySource"];
            branches?: string[];
            /** Format: int64 */
            depth?: number | null;
        };
        SourceCheckRequest: {
            source: components["schemas"]["RepositorySource"];
        };
        SourceBranch: {
            name: string;
            commit: string;
        };
        SourceCheckResponse: {
            default_branch?: string | null;
            branches: components["schemas"]["SourceBranch"][];
            warning?: string | null;
        };
        BranchResponse: {
            /** Format: uuid */
            id: string;
            name: string;
            is_default: boolean;
            published?: null | components["schemas"]["SnapshotSummary"];
        };
        LedgerReasonCount: {
            reason: string;
            /** Format: int64 */
            count: number;
        };
        LedgerLanguageCount: {
            language: string;
            /** Format: int64 */
            count: number;
        };
        LedgerSummary: {
            /** Format: int64 */
            files_seen: number;
            /** Format: int64 */
            files_indexed: number;
            /** Format: int64 */
            files_skipped: number;
            by_reason: components["schemas"]["LedgerReasonCount"][];
            by_language: components["schemas"]["LedgerLanguageCount"][];
            /** Format: int64 */
            chunks: number;
            /** Format: int64 */
            points?: number | null;
            /** Format: int64 */
            documents: number;
        };
        LedgerRow: {
            path: string;
            /** @enum {string} */
            status: "indexed" | "skipped";
            reason?: string | null;
            detail?: string | null;
            language?: string | null;
            /** Format: int64 */
            bytes: number;
            /** Format: int64 */
            lines?: number | null;
            /** Format: int64 */
            chunks: number;
        };
        LedgerResponse: {
            summary: components["schemas"]["LedgerSummary"];
            items: components["schemas"]["LedgerRow"][];
            next_cursor?: string | null;
        };
        CreateIndexRunRequest: {
            branch?: string | null;
        };
        StageSeconds: {
            /** Format: double */
            sync: number;
            /** Format: double */
            plan: number;
            /** Format: double */
            batch: number;
            /** Format: double */
            publish: number;
            /** Format: double */
            embed: number;
        };
        IndexRunResponse: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            repository_id: string;
            branch?: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @enum {string} */
            stage: "sync" | "plan" | "batch" | "publish" | "done";
            /** @enum {string} */
            trigger: "added" | "manual" | "schedule" | "webhook";
            commit?: string | null;
            /** Format: int64 */
            snapshot_id?: number | null;
            /** Format: int64 */
            files_seen: number;
            /** Format: int64 */
            files_total: number;
            /** Format: int64 */
            files_done: number;
            /** Format: int64 */
            chunks_done: number;
            /** Format: int64 */
            chunks_embedded: number;
            /** Format: int64 */
            embedding_cache_hits: number;
            /** Format: int64 */
            batches_total: number;
            /** Format: int64 */
            batches_done: number;
            /** Format: int64 */
            bytes_total: number;
            /** Format: int64 */
            bytes_done: number;
            /** Format: int64 */
            attempts: number;
            /** Format: double */
            eta_seconds?: number | null;
            error?: null | components["schemas"]["ProblemSummary"];
            stage_seconds: components["schemas"]["StageSeconds"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at?: string | null;
            /** Format: date-time */
            finished_at?: string | null;
        };
        SearchRequest: {
            query: string;
            /** Format: uuid */
            organization_id: string;
            project_ids?: string[];
            repository_ids?: string[];
            branch?: string | null;
            /** Format: int64 */
            snapshot_id?: number | null;
            commit?: string | null;
            languages?: string[];
            path?: string | null;
            kinds?: string[];
            /** @enum {string} */
            tests?: "include" | "exclude" | "only";
            /** Format: int64 */
            limit?: number;
            explain?: boolean;
            /** @enum {string} */
            fusion?: "weighted" | "rrf";
        };
        SearchWarning: {
            code: string;
            message: string;
        };
        SearchChannel: {
            /** @enum {string} */
            name: "lexical" | "dense" | "symbol" | "path" | "exact";
            /** @enum {string} */
            status: "ok" | "failed" | "disabled";
            /** Format: int64 */
            candidates: number;
            /** Format: double */
            milliseconds: number;
        };
        FacetCount: {
            value: string;
            label?: string | null;
            /** Format: int64 */
            count: number;
        };
        SearchFacets: {
            languages: components["schemas"]["FacetCount"][];
            repositories: components["schemas"]["FacetCount"][];
            kinds: components["schemas"]["FacetCount"][];
            tests: components["schemas"]["FacetCount"][];
        };
        SnippetHighlight: {
            /** Format: int64 */
            line: number;
            /** Format: int64 */
            start: number;
            /** Format: int64 */
            end: number;
        };
        SearchSnippet: {
            /** Format: int64 */
            start_line: number;
            text: string;
            highlights: components["schemas"]["SnippetHighlight"][];
        };
        HitChannel: {
            /** @enum {string} */
            name: "lexical" | "dense" | "symbol" | "path" | "exact";
            /** Format: int64 */
            rank?: number | null;
            /** Format: double */
            score?: number | null;
        };
        ExplanationStep: {
            name: string;
            /** Format: double */
            value: number;
            detail: string;
        };
        SearchHit: {
            id: string;
            /** Format: int64 */
            rank: number;
            /** Format: double */
            score: number;
            /** Format: uuid */
            repository_id: string;
            repository_name: string;
            /** Format: uuid */
            project_id: string;
            branch: string;
            commit: string;
            /** Format: int64 */
            snapshot_id: number;
            path: string;
            language?: string | null;
            kind: string;
            symbol?: string | null;
            /** Format: int64 */
            start_line: number;
            /** Format: int64 */
            end_line: number;
            is_test: boolean;
            snippet: components["schemas"]["SearchSnippet"];
            channels: components["schemas"]["HitChannel"][];
            explanation?: components["schemas"]["ExplanationStep"][] | null;
        };
        SearchedBranch: {
            /** Format: uuid */
            repository_id: string;
            repository_name: string;
            branch: string;
            commit: string;
            /** Format: int64 */
            snapshot_id: number;
            /** Format: date-time */
            indexed_at: string;
            /** Format: int64 */
            files_indexed: number;
            /** Format: int64 */
            files_skipped: number;
        };
        SearchResponse: {
            intent: string;
            /** @enum {string} */
            verdict: "ok" | "low_confidence" | "no_match";
            hint?: string | null;
            hits: components["schemas"]["SearchHit"][];
            warnings: components["schemas"]["SearchWarning"][];
            channels: components["schemas"]["SearchChannel"][];
            facets: components["schemas"]["SearchFacets"];
            searched: components["schemas"]["SearchedBranch"][];
            /** Format: double */
            took_ms: number;
        };
        ExactSearchRequest: {
            pattern: string;
            regex?: boolean;
            case_sensitive?: boolean;
            whole_word?: boolean;
            /** Format: uuid */
            organization_id: string;
            project_ids?: string[];
            repository_ids?: string[];
            branch?: string | null;
            /** Format: int64 */
            snapshot_id?: number | null;
            languages?: string[];
            path?: string | null;
            /** Format: int64 */
            limit?: number;
        };
        ExactMatch: {
            /** Format: int64 */
            line: number;
            /** Format: int64 */
            start: number;
            /** Format: int64 */
            end: number;
            text: string;
            /** Format: int64 */
            text_offset: number;
        };
        ExactFile: {
            /** Format: uuid */
            repository_id: string;
            repository_name: string;
            branch: string;
            commit: string;
            /** Format: int64 */
            snapshot_id: number;
            path: string;
            language?: string | null;
            matches: components["schemas"]["ExactMatch"][];
        };
        ExactSearchResponse: {
            files: components["schemas"]["ExactFile"][];
            /** Format: int64 */
            matches: number;
            /** Format: int64 */
            files_considered: number;
            stopped_early: boolean;
            stop_reason?: string | null;
            searched: components["schemas"]["SearchedBranch"][];
            /** Format: double */
            took_ms: number;
        };
        SymbolResponse: {
            name: string;
            qualified_name: string;
            kind: string;
            signature?: string | null;
            /** Format: uuid */
            repository_id: string;
            repository_name: string;
            branch: string;
            commit: string;
            path: string;
            language?: string | null;
            /** Format: int64 */
            start_line: number;
            /** Format: int64 */
            end_line: number;
        };
        TreeEntry: {
            name: string;
            path: string;
            /** @enum {string} */
            kind: "directory" | "file";
            /** @enum {string|null} */
            status?: "indexed" | "skipped" | null;
            reason?: string | null;
            language?: string | null;
            /** Format: int64 */
            bytes?: number | null;
        };
        TreeResponse: {
            path: string;
            commit: string;
            /** Format: int64 */
            snapshot_id: number;
            branch?: string | null;
            entries: components["schemas"]["TreeEntry"][];
        };
        OutlineSymbol: {
            name: string;
            qualified_name: string;
            kind: string;
            /** Format: int64 */
            start_line: number;
            /** Format: int64 */
            end_line: number;
        };
        FileResponse: {
            /** Format: uuid */
            repository_id: string;
            repository_name: string;
            path: string;
            branch?: string | null;
            commit: string;
            /** Format: int64 */
            snapshot_id: number;
            blob_id: string;
            language?: string | null;
            /** Format: int64 */
            total_lines: number;
            /** Format: int64 */
            start_line: number;
            /** Format: int64 */
            end_line: number;
            text: string;
            symbols: components["schemas"]["OutlineSymbol"][];
        };
        EmbedderStatus: {
            kind: string;
            model?: string | null;
            /** Format: int64 */
            dimension?: number | null;
        };
        StatusResponse: {
            version: string;
            /** @enum {string} */
            mode: "standalone" | "cluster";
            embedder: components["schemas"]["EmbedderStatus"];
            vector_index: string;
            lexical_index: string;
            reranker: string;
            warnings: components["schemas"]["SearchWarning"][];
        };
        JobResponse: {
            /** Format: uuid */
            id: string;
            kind: string;
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed" | "dead" | "cancelled";
            /** Format: uuid */
            repository_id?: string | null;
            /** Format: int64 */
            attempts: number;
            /** Format: int64 */
            max_attempts: number;
            error?: null | components["schemas"]["ProblemSummary"];
            /** Format: date-time */
            run_after: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            finished_at?: string | null;
        };
        RepositorySource: {
            /** @enum {string} */
            kind: "git";
            url: string;
            username?: string | null;
            password?: string | null;
        } | {
            /** @enum {string} */
            kind: "local";
            path: string;
        };
        Page_OrganizationResponse: {
            items: components["schemas"]["OrganizationResponse"][];
            next_cursor?: string | null;
        };
        Page_ProjectResponse: {
            items: components["schemas"]["ProjectResponse"][];
            next_cursor?: string | null;
        };
        Page_RepositoryResponse: {
            items: components["schemas"]["RepositoryResponse"][];
            next_cursor?: string | null;
        };
        Page_BranchResponse: {
            items: components["schemas"]["BranchResponse"][];
            next_cursor?: string | null;
        };
        Page_IndexRunResponse: {
            items: components["schemas"]["IndexRunResponse"][];
            next_cursor?: string | null;
        };
        Page_SymbolResponse: {
            items: components["schemas"]["SymbolResponse"][];
            next_cursor?: string | null;
        };
        Page_JobResponse: {
            items: components["schemas"]["JobResponse"][];
            next_cursor?: string | null;
        };
        Page_SnapshotSummary: {
            items: components["schemas"]["SnapshotSummary"][];
            next_cursor?: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refresh_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_organizations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_OrganizationResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_organization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOrganizationRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_organization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_projects: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ProjectResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_repositories: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_RepositoryResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_repository: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRepositoryRequest"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    check_source: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SourceCheckRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SourceCheckResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_repository: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                repository_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_repository: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                repository_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_index_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                repository_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateIndexRunRequest"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexRunResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_branches: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                repository_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_BranchResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_snapshots: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                branch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SnapshotSummary"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_ledger: {
        parameters: {
            query?: {
                status?: "indexed" | "skipped";
                reason?: string;
                path_prefix?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                snapshot_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_index_runs: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                repository_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_IndexRunResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_index_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                index_run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IndexRunResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_index_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                index_run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retry_index_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                index_run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stream_index_run_events: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                index_run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SearchRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search_exact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExactSearchRequest"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExactSearchResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_symbols: {
        parameters: {
            query: {
                organization_id: string;
                name: string;
                prefix?: boolean;
                project_id?: string;
                repository_id?: string;
                kind?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SymbolResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_tree: {
        parameters: {
            query?: {
                path?: string;
                branch?: string;
                snapshot_id?: number;
                commit?: string;
            };
            header?: never;
            path: {
                repository_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TreeResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_file: {
        parameters: {
            query: {
                path: string;
                branch?: string;
                snapshot_id?: number;
                commit?: string;
                start_line?: number;
                end_line?: number;
            };
            header?: never;
            path: {
                repository_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                state?: "queued" | "running" | "succeeded" | "failed" | "dead" | "cancelled";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_JobResponse"];
                };
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retry_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Problem */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Problem */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
