//! A `tokenizer.json` as published with models, without the truncation and padding it asks for.

use tokenizers::Tokenizer;

/// The parsed file.
#[derive(Debug, Clone)]
pub struct TokenizerFile {
    pub tokenizer: Tokenizer,
    /// The token that stands for everything unknown.
    pub unknown_token: Option<u32>,
    /// What fills short rows of a batch.
    pub padding_token: u32,
}

impl TokenizerFile {
    /// The error says what is wrong with the file.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(|error| error.to_string())?;
        let json: serde_json::Value =
            serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let padding_token = match tokenizer.get_padding() {
            Some(padding) => padding.pad_id,
            None => ["[PAD]", "<pad>"]
                .into_iter()
                .find_map(|token| tokenizer.token_to_id(token))
                .unwrap_or(0),
        };
        tokenizer.with_padding(None);
        tokenizer
            .with_truncation(None)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            unknown_token: unknown_token(&tokenizer, &json),
            tokenizer,
            padding_token,
        })
    }
}

/// Models name it by text or by number.
fn unknown_token(tokenizer: &Tokenizer, json: &serde_json::Value) -> Option<u32> {
    let model = json.get("model")?;
    if let Some(token) = model.get("unk_token").and_then(|token| token.as_str()) {
        return tokenizer.token_to_id(token);
    }
    u32::try_from(model.get("unk_id")?.as_u64()?).ok()
}
