// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SolverSignature} from "../../../contracts/records/SolverSignature.sol";
import {Test} from "../support/Test.sol";

/// @title SolverSignatureTest
/// @notice The library refuses invalid signatures, each with its own error, and otherwise agrees with the precompile.
contract SolverSignatureTest is Test {
    uint256 private constant MAX_S = CURVE_ORDER / 2;

    /// @notice External, so that the signature is calldata and reverts can be expected.
    function recover(bytes32 digest, bytes calldata signature) external view returns (address signer) {
        return SolverSignature.recover(digest, signature);
    }

    function testFuzz_RevertWhen_LengthIsNeither65Nor64(bytes32 digest, bytes calldata signature) public {
        VM.assume(signature.length != 65 && signature.length != 64);
        VM.expectRevert(
            abi.encodeWithSelector(SolverSignature.SignatureLengthInvalid.selector, signature.length)
        );
        this.recover(digest, signature);
    }

    function testFuzz_RevertWhen_ValidSignatureIsCutOrPadded(
        uint256 seed,
        bytes32 digest,
        uint256 newLength
    ) public {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(_boundKey(seed), digest);
        bytes memory padded = abi.encodePacked(r, s, v, new bytes(63));
        uint256 length = _bound(newLength, 0, 128);
        VM.assume(length != 65 && length != 64);
        assembly ("memory-safe") {
            mstore(padded, length)
        }
        VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureLengthInvalid.selector, length));
        this.recover(digest, padded);
    }

    function testFuzz_RevertWhen_ValidSignatureIsMirroredToHighS(uint256 seed, bytes32 digest) public {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(_boundKey(seed), digest);
        bytes32 high = bytes32(CURVE_ORDER - uint256(s));
        // The precompile accepts it, so that one request would have two signatures.
        _assertEq(ecrecover(digest, 55 - v, r, high), ecrecover(digest, v, r, s));

        VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureSTooHigh.selector, high));
        this.recover(digest, abi.encodePacked(r, high, 55 - v));
    }

    function testFuzz_RevertWhen_AnySLiesInTheUpperHalf(
        bytes32 digest,
        bytes32 r,
        uint256 s,
        uint8 v
    ) public {
        bytes32 high = bytes32(_bound(s, MAX_S + 1, type(uint256).max));
        VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureSTooHigh.selector, high));
        this.recover(digest, abi.encodePacked(r, high, v));
    }

    function testFuzz_RevertWhen_CompactSLiesInTheUpperHalf(
        bytes32 digest,
        bytes32 r,
        uint256 s,
        bool odd
    ) public {
        // Only 255 bits are left of `s` here.
        bytes32 high = bytes32(_bound(s, MAX_S + 1, type(uint256).max >> 1));
        bytes32 word = odd ? high | bytes32(uint256(1) << 255) : high;
        VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureSTooHigh.selector, high));
        this.recover(digest, abi.encodePacked(r, word));
    }

    function testFuzz_RevertWhen_VIsNeither27Nor28(uint256 seed, bytes32 digest, uint8 v) public {
        VM.assume(v != 27 && v != 28);
        (, bytes32 r, bytes32 s) = VM.sign(_boundKey(seed), digest);
        VM.expectRevert(abi.encodePacked(SolverSignature.SignatureRecoversNobody.selector));
        this.recover(digest, abi.encodePacked(r, s, v));
    }

    function testFuzz_RevertWhen_SignatureIsAllZero(bytes32 digest, bool compact) public {
        VM.expectRevert(abi.encodePacked(SolverSignature.SignatureRecoversNobody.selector));
        this.recover(digest, new bytes(compact ? 64 : 65));
    }

    function testFuzz_RevertWhen_RIsNoPointOfTheCurve(bytes32 digest, uint256 r, uint256 s) public {
        // From the group order on no `r` is valid.
        bytes32 outside = bytes32(_bound(r, CURVE_ORDER, type(uint256).max));
        bytes32 low = bytes32(_bound(s, 1, MAX_S));
        VM.expectRevert(abi.encodePacked(SolverSignature.SignatureRecoversNobody.selector));
        this.recover(digest, abi.encodePacked(outside, low, uint8(27)));
    }

    function testFuzz_AgreesWithThePrecompileOnEverythingItAccepts(
        bytes32 digest,
        bytes32 r,
        uint256 s,
        bool odd
    ) public {
        bytes32 low = bytes32(_bound(s, 1, MAX_S));
        uint8 v = odd ? 28 : 27;
        address expected = ecrecover(digest, v, r, low);
        if (expected == address(0)) {
            VM.expectRevert(abi.encodePacked(SolverSignature.SignatureRecoversNobody.selector));
            this.recover(digest, abi.encodePacked(r, low, v));
        } else {
            _assertEq(this.recover(digest, abi.encodePacked(r, low, v)), expected);
            bytes32 compact = odd ? low | bytes32(uint256(1) << 255) : low;
            _assertEq(this.recover(digest, abi.encodePacked(r, compact)), expected);
        }
    }

    function test_RevertWhen_SIsOneAboveHalfTheCurveOrder() public {
        (bytes32 one, bytes32 high) = (bytes32(uint256(1)), bytes32(MAX_S + 1));
        bytes[3] memory signatures = [
            abi.encodePacked(one, high, uint8(27)),
            abi.encodePacked(one, high),
            abi.encodePacked(one, high | bytes32(uint256(1) << 255))
        ];
        for (uint256 i; i < signatures.length; ++i) {
            VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureSTooHigh.selector, high));
            this.recover(one, signatures[i]);
        }
    }

    function test_LimitOfSIsHalfTheCurveOrder() public view {
        _assertEq(SolverSignature.MAX_S, bytes32(MAX_S));
        // The limit itself is allowed, whatever address it recovers.
        (bool success, bytes memory answer) = address(this).staticcall(
            abi.encodeCall(
                this.recover,
                (bytes32(uint256(1)), abi.encodePacked(bytes32(uint256(1)), MAX_S, uint8(27)))
            )
        );
        if (!success) _assertEq(answer, abi.encodePacked(SolverSignature.SignatureRecoversNobody.selector));
    }
}
