"""Writes the tiny models of the ONNX tests: random word vectors from a fixed seed, a few kB each.

    python3 -m venv v && v/bin/pip install numpy==2.4.6 onnx==1.19.0
    v/bin/python make_tiny_models.py

`tiny-embedder` has one attention layer and the outputs `last_hidden_state` and
`sentence_embedding`. `tiny-cross-encoder` scores how alike the words of its two texts are.
"""

import json
import string
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = Path(__file__).parent
WIDTH = 16
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
WORDS = "the a is and of in file server cache user test open start insert install key entry main login worker".split()
LETTERS = string.ascii_lowercase + string.digits
VOCABULARY = SPECIAL + sorted(set(WORDS) | set(LETTERS) | {"##" + letter for letter in LETTERS})
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
random = np.random.default_rng(11)


def tokenizer():
    """Lower-cased WordPiece in BERT's manner, its truncation and padding as short as published ones."""
    special = [
        {"id": at, "content": token, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
        for at, token in enumerate(SPECIAL)
    ]
    piece = lambda name, kind: {"SpecialToken": {"id": name, "type_id": kind}}
    text = lambda name, kind: {"Sequence": {"id": name, "type_id": kind}}
    return {
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 6, "strategy": "LongestFirst", "stride": 0},
        "padding": {"strategy": {"Fixed": 6}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"},
        "added_tokens": special,
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [piece("[CLS]", 0), text("A", 0), piece("[SEP]", 0)],
            "pair": [piece("[CLS]", 0), text("A", 0), piece("[SEP]", 0), text("B", 1), piece("[SEP]", 1)],
            "special_tokens": {t: {"id": t, "ids": [SPECIAL.index(t)], "tokens": [t]} for t in ("[CLS]", "[SEP]")},
        },
        "decoder": None,
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
            "vocab": {token: at for at, token in enumerate(VOCABULARY)},
        },
    }


def save(name, nodes, weights, outputs):
    inputs = [helper.make_tensor_value_info(i, TensorProto.INT64, ["batch", "tokens"]) for i in INPUTS]
    outputs = [helper.make_tensor_value_info(o, TensorProto.FLOAT, shape) for o, shape in outputs]
    weights = [numpy_helper.from_array(np.asarray(array), key) for key, array in weights.items()]
    graph = helper.make_graph([helper.make_node(op, i, o, **a) for op, i, o, a in nodes], name, inputs, outputs, weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="quarry")
    onnx.checker.check_model(model)
    directory = HERE / name
    directory.mkdir(exist_ok=True)
    onnx.save(model, directory / "model.onnx")
    (directory / "tokenizer.json").write_text(json.dumps(tokenizer(), indent=1) + "\n")
    print(directory, (directory / "model.onnx").stat().st_size)


def f32(*shape):
    return random.normal(0, 0.5, shape).astype(np.float32)


save(
    "tiny-embedder",
    [
        ("Gather", ["words", "input_ids"], ["word"], {}),
        ("Gather", ["types", "token_type_ids"], ["type"], {}),
        ("Add", ["word", "type"], ["x"], {}),
        ("Cast", ["attention_mask"], ["mask"], {"to": TensorProto.FLOAT}),
        ("Unsqueeze", ["mask", "axis_1"], ["mask_row"], {}),
        ("Unsqueeze", ["mask", "axis_2"], ["mask_column"], {}),
        ("Sub", ["mask_row", "one"], ["absent"], {}),
        ("Mul", ["absent", "far"], ["penalty"], {}),
        ("MatMul", ["x", "query"], ["q"], {}),
        ("Transpose", ["x"], ["x_t"], {"perm": [0, 2, 1]}),
        ("MatMul", ["q", "x_t"], ["scores"], {}),
        ("Add", ["scores", "penalty"], ["masked"], {}),
        ("Softmax", ["masked"], ["attention"], {"axis": -1}),
        ("MatMul", ["attention", "x"], ["mixed"], {}),
        ("Add", ["x", "mixed"], ["last_hidden_state"], {}),
        ("Mul", ["last_hidden_state", "mask_column"], ["kept"], {}),
        ("ReduceSum", ["kept", "axis_1"], ["total"], {"keepdims": 0}),
        ("ReduceSum", ["mask", "axis_1"], ["count"], {"keepdims": 1}),
        ("Div", ["total", "count"], ["sentence_embedding"], {}),
    ],
    {
        "words": f32(len(VOCABULARY), WIDTH), "types": f32(2, WIDTH), "query": f32(WIDTH, WIDTH),
        "one": np.float32(1), "far": np.float32(1e9), "axis_1": np.array([1]), "axis_2": np.array([2]),
    },
    [("last_hidden_state", ["batch", "tokens", WIDTH]), ("sentence_embedding", ["batch", WIDTH])],
)

# Special tokens have no vector, so that only words count.
vectors = f32(len(VOCABULARY), WIDTH)
vectors[: len(SPECIAL)] = 0
save(
    "tiny-cross-encoder",
    [
        ("Gather", ["words", "input_ids"], ["x"], {}),
        ("Mul", ["attention_mask", "token_type_ids"], ["second_ids"], {}),
        ("Cast", ["second_ids"], ["second_mask"], {"to": TensorProto.FLOAT}),
        ("Cast", ["attention_mask"], ["mask"], {"to": TensorProto.FLOAT}),
        ("Sub", ["mask", "second_mask"], ["first_mask"], {}),
        *[
            node
            for side in ("first", "second")
            for node in (
                ("Unsqueeze", [f"{side}_mask", "axis_2"], [f"{side}_column"], {}),
                ("Mul", ["x", f"{side}_column"], [f"{side}_kept"], {}),
                ("ReduceSum", [f"{side}_kept", "axis_1"], [f"{side}_sum"], {"keepdims": 0}),
                ("ReduceSum", [f"{side}_mask", "axis_1"], [f"{side}_count"], {"keepdims": 1}),
                ("Div", [f"{side}_sum", f"{side}_count"], [f"{side}_mean"], {}),
            )
        ],
        ("Mul", ["first_mean", "second_mean"], ["product"], {}),
        ("ReduceSum", ["product", "axis_1"], ["logits"], {"keepdims": 1}),
    ],
    {"words": vectors, "axis_1": np.array([1]), "axis_2": np.array([2])},
    [("logits", ["batch", 1])],
)
